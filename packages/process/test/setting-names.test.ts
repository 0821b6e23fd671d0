import { expect, test } from 'vitest'
import { firstUnknownName, sayUnknownName } from '../src/index.ts'

const known = ['SVC_PAYMENT_MODE', 'SVC_PORT', 'SVC_HOST', 'SVC_S3_BUCKET']

test.each([
  [['SVC_PORT', 'SVC_HOST'], undefined],
  [['SVC_PAYMENT_MOD'], 'SVC_PAYMENT_MOD is none of the settings; did you mean SVC_PAYMENT_MODE?'],
  [['SVC_PORT', 'SVC_PROT'], 'SVC_PROT is none of the settings; did you mean SVC_PORT?'],
  // Two letters that changed places are one mistake, and a third of the letters is the most that is guessed at.
  [['SVC_OHST'], 'SVC_OHST is none of the settings; did you mean SVC_HOST?'],
  [['VSC_OHST'], 'VSC_OHST is none of the settings; did you mean SVC_HOST?'],
  [['SVC_TSOH'], 'SVC_TSOH is none of the settings; remove it'],
  [['AVC_B3_CUCKEX'], 'AVC_B3_CUCKEX is none of the settings; did you mean SVC_S3_BUCKET?'],
  [['AVC_B4_CUCKEX'], 'AVC_B4_CUCKEX is none of the settings; remove it'],
  [['SVC_HORT'], 'SVC_HORT is none of the settings; did you mean SVC_PORT?'],
  [['SVC_WALLETS_OF_OTHERS'], 'SVC_WALLETS_OF_OTHERS is none of the settings; remove it'],
] as const)('of %j', (given, said) => {
  const unknown = firstUnknownName(given, known)
  expect(unknown === undefined ? undefined : sayUnknownName(unknown)).toBe(said)
})
