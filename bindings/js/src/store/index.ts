export { MemoryStore } from "./memory.ts";
export { log, observe, ping, StoreCounters, type StoreCall } from "./observe.ts";
export {
  StoreError,
  type Change, type Entry, type Line, type NewEntry, type Query, type Saved, type Store, type Wake,
} from "./store.ts";
