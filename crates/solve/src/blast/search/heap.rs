//! Variables by how often they were in conflicts lately, the most active first: a binary heap whose members can rise.

/// After this activity all are made smaller.
const LARGEST: f64 = 1e100;

/// By how much a bump counts more than one before the last conflict.
const GROWTH: f64 = 1.0 / 0.95;

/// The heap.
pub(super) struct Heap {
    heap: Vec<u32>,
    /// By variable; `ABSENT`: it is not in the heap.
    positions: Vec<u32>,
    activities: Vec<f64>,
    bump: f64,
}

const ABSENT: u32 = u32::MAX;

impl Default for Heap {
    fn default() -> Heap {
        Heap { heap: Vec::new(), positions: Vec::new(), activities: Vec::new(), bump: 1.0 }
    }
}

impl Heap {
    /// Makes room for the next variable.
    pub(super) fn add(&mut self) {
        self.positions.push(ABSENT);
        self.activities.push(0.0);
    }

    pub(super) fn clear(&mut self) {
        for variable in self.heap.drain(..) {
            self.positions[variable as usize] = ABSENT;
        }
    }

    pub(super) fn insert(&mut self, variable: u32) {
        if self.positions[variable as usize] == ABSENT {
            self.positions[variable as usize] = self.heap.len() as u32;
            self.heap.push(variable);
            self.rise(self.heap.len() - 1);
        }
    }

    /// Takes the most active one out.
    pub(super) fn pop(&mut self) -> Option<u32> {
        let last = self.heap.pop()?;
        let Some(&first) = self.heap.first() else {
            self.positions[last as usize] = ABSENT;
            return Some(last);
        };
        self.positions[first as usize] = ABSENT;
        self.put(0, last);
        self.sink(0);
        Some(first)
    }

    pub(super) fn bump(&mut self, variable: u32) {
        let activity = &mut self.activities[variable as usize];
        *activity += self.bump;
        if *activity > LARGEST {
            self.activities.iter_mut().for_each(|activity| *activity /= LARGEST);
            self.bump /= LARGEST;
        }
        let position = self.positions[variable as usize];
        if position != ABSENT {
            self.rise(position as usize);
        }
    }

    /// What was bumped counts less from now on.
    pub(super) fn decay(&mut self) {
        self.bump *= GROWTH;
    }

    fn put(&mut self, position: usize, variable: u32) {
        self.heap[position] = variable;
        self.positions[variable as usize] = position as u32;
    }

    fn is_before(&self, a: u32, b: u32) -> bool {
        self.activities[a as usize] > self.activities[b as usize]
    }

    fn rise(&mut self, mut position: usize) {
        let variable = self.heap[position];
        while position > 0 {
            let parent = (position - 1) / 2;
            if !self.is_before(variable, self.heap[parent]) {
                break;
            }
            self.put(position, self.heap[parent]);
            position = parent;
        }
        self.put(position, variable);
    }

    fn sink(&mut self, mut position: usize) {
        let variable = self.heap[position];
        loop {
            let left = 2 * position + 1;
            let Some(&first) = self.heap.get(left) else { break };
            let (mut child, mut at) = (first, left);
            if let Some(&second) = self.heap.get(left + 1)
                && self.is_before(second, first)
            {
                (child, at) = (second, left + 1);
            }
            if !self.is_before(child, variable) {
                break;
            }
            self.put(position, child);
            position = at;
        }
        self.put(position, variable);
    }
}
