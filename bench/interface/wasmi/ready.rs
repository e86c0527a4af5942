//! Does what ready.py does, under wasmi. The imports answer 0 and do nothing, which costs less than a real WASI.
use wasmi::{Engine, Func, Instance, Linker, Memory, Module, Store, TypedFunc, Val};

fn number(file: &str, at: usize) -> i64 {
    std::fs::read_to_string(file).unwrap().split(' ').nth(at).unwrap().parse().unwrap()
}

fn resident() -> i64 {
    number("/proc/self/statm", 1) * 4
}

/// The processor time of the only thread.
fn busy() -> i64 {
    number("/proc/self/schedstat", 0)
}

struct Started {
    store: Store<()>,
    memory: Memory,
    input: TypedFunc<u32, u32>,
    perform: TypedFunc<(u32, u64, i64, u32), u64>,
}

impl Started {
    fn new(file: &str) -> Self {
        let engine = Engine::default();
        let module = Module::new(&engine, std::fs::read(file).unwrap()).unwrap();
        let mut store = Store::new(&engine, ());
        let mut linker = Linker::new(&engine);
        for import in module.imports() {
            let kind = import.ty().func().unwrap().clone();
            let nothing = Func::new(&mut store, kind, |_, _, out| {
                out.fill(Val::I32(0));
                Ok(())
            });
            linker.define(import.module(), import.name(), nothing).unwrap();
        }
        let i: Instance = linker.instantiate_and_start(&mut store, &module).unwrap();
        i.get_typed_func::<(), ()>(&store, "_initialize").unwrap().call(&mut store, ()).unwrap();
        let memory = i.get_memory(&store, "memory").unwrap();
        let input = i.get_typed_func(&store, "elicit_input").unwrap();
        let perform = i.get_typed_func(&store, "elicit_call").unwrap();
        Started { store, memory, input, perform }
    }

    fn call(&mut self, op: u32, handle: u64, text: &str) -> u64 {
        let (size, mut out) = (text.len() as u32, [0; 16]);
        let at = self.input.call(&mut self.store, size).unwrap();
        self.memory.write(&mut self.store, at as usize, text.as_bytes()).unwrap();
        let place = self.perform.call(&mut self.store, (op, handle, 0, size)).unwrap() >> 32;
        self.memory.read(&self.store, place as usize, &mut out).unwrap();
        assert_eq!(out[..8], [0; 8], "{text}");
        u64::from_le_bytes(out[8..].try_into().unwrap())
    }

    fn ask(&mut self, relay: &str, question: &str) {
        let handle = self.call(1, 0, relay);
        self.call(8, handle, question);
    }
}

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let (before, start) = (resident(), busy());
    let mut engine = Started::new(&args[1]);
    engine.call(args[2].parse().unwrap(), 0, &args[3]);
    let ready = busy();
    engine.ask(&args[4], &args[5]);
    let first = busy();
    (1..100).for_each(|_| engine.ask(&args[4], &args[5]));
    println!("{} {} {}", ready - start, first - ready, resident() - before);
}
