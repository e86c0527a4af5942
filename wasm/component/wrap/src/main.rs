//! wrap CORE WIT COMPONENT makes a component of a core module. It embeds the world of WIT, and adds the Bytecode
//! Alliance's adapter from the module's WASI calls to the interfaces of WASI 0.2.

use std::error::Error;

use wasi_preview1_component_adapter_provider as adapter;
use wit_component::{embed_component_metadata, ComponentEncoder, StringEncoding};
use wit_parser::Resolve;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [core, wit, component] = &arguments[..] else {
        return Err("usage: wrap CORE WIT COMPONENT".into());
    };
    let mut resolve = Resolve::default();
    let package = resolve.push_file(wit)?;
    let world = resolve.select_world(&[package], Some("elicit"))?;
    let mut module = std::fs::read(core)?;
    embed_component_metadata(&mut module, &resolve, world, StringEncoding::UTF8)?;
    let wrapped = ComponentEncoder::default()
        .validate(true)
        .module(&module)?
        .adapter(
            adapter::WASI_SNAPSHOT_PREVIEW1_ADAPTER_NAME,
            adapter::WASI_SNAPSHOT_PREVIEW1_REACTOR_ADAPTER,
        )?
        .encode()?;
    std::fs::write(component, wrapped)?;
    Ok(())
}
