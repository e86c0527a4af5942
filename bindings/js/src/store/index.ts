export { MemoryStore } from "./memory.ts";
export {
  StoreError,
  type Change, type Entry, type Line, type NewEntry, type Query, type Saved, type Store, type Wake,
} from "./store.ts";
