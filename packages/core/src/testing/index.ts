export { anyFilter } from './any-filter.ts'
export { aSubmission, aTask } from './factories.ts'
export { createFakeChannels, type FakeChannels } from './fake-channels.ts'
export { createFakeChain, type FakeChain, type Fault } from './fake-chain.ts'
export type { Landing } from './fake-sights.ts'
export {
  createCountingRegistry,
  createPlainEvidence,
  createPlainInspector,
  createPlainRatings,
  createPlainSignatures,
  createPlainUploads,
  createTestClock,
  createTestIds,
  plainSignature,
  type TestClock,
} from './fake-ports.ts'
