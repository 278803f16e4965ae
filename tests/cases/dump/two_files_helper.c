int step(int x) { return x + STEP; }
