// Imported before the SDK. It tells the SDK's zod not to try whether it may evaluate strings, because the browser would
// report that as a violation of the page's policy.
import { config } from "zod";

export const { jitless } = config({ jitless: true });
