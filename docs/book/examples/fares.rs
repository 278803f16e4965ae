//! A module for a host: no main, no debug information, and a function that the host provides.
#![no_std]

#[link(wasm_import_module = "host")]
extern "C" {
    fn seats(train: u32) -> u32;
}

/// The price in cents for some people of an age; -1 if there is no room.
#[no_mangle]
pub extern "C" fn fare(train: u32, people: u32, age: u32) -> i32 {
    let free = unsafe { seats(train) };
    if people == 0 || people > free {
        return -1;
    }
    let each = match age {
        0..=5 => 0,
        6..=25 | 65.. => 1250,
        _ => 2500,
    };
    let surcharge = 100 / (free - people);
    (people * each * (100 + surcharge) / 100) as i32
}

#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! {
    core::arch::wasm32::unreachable()
}
