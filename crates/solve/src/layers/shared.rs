//! One layer that several others ask: what it remembers serves all of them.

use crate::{Answer, Budget, Layer, Query};
use coax_term::Terms;
use std::sync::{Arc, Mutex, PoisonError};

/// A handle to the layer.
#[derive(Clone)]
pub(crate) struct SharedLayer(Arc<Mutex<Box<dyn Layer>>>);

impl SharedLayer {
    pub(crate) fn new(layer: Box<dyn Layer>) -> SharedLayer {
        SharedLayer(Arc::new(Mutex::new(layer)))
    }
}

impl Layer for SharedLayer {
    fn solve(&mut self, terms: &mut Terms, query: &Query<'_>, budget: &mut Budget) -> Answer {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).solve(terms, query, budget)
    }
}
