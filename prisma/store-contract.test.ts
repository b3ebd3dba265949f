import { describeStore } from "./testing/store-contract";
import { openTestStore } from "./testing/test-stores";

describeStore(() => openTestStore(() => {}));
