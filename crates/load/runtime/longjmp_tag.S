# The tag of the exception that longjmp throws; its payload is the address of a struct thrown. Older compilers
# define it in every object that needs it, hence weak.
	.tagtype __c_longjmp i32
	.globl __c_longjmp
	.weak __c_longjmp
__c_longjmp:
