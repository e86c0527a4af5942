// Imported before the SDK: tells its zod not to try whether it may evaluate strings, which the page's policy would note.
import { config } from "zod";

export const { jitless } = config({ jitless: true });
