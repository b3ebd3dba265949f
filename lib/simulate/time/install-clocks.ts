import { installClocks } from "./clocks";

// Before anything else is loaded: Yjs keeps the source of random numbers that it finds.
installClocks();
