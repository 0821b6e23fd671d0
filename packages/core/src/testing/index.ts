export { aSubmission, aTask } from './factories.ts'
export { createFakeChannels, type FakeChannels } from './fake-channels.ts'
export { createFakeChain, type FakeChain, type Fault, type Landing } from './fake-chain.ts'
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
