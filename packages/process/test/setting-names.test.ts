import { expect, test } from 'vitest'
import { firstUnknownName, sayUnknownName } from '../src/index.ts'

const known = ['SVC_PAYMENT_MODE', 'SVC_PORT', 'SVC_HOST', 'SVC_S3_BUCKET']

test.each([
  [['SVC_PORT', 'SVC_HOST'], undefined],
  [['SVC_PAYMENT_MOD'], 'SVC_PAYMENT_MOD is none of the settings; did you mean SVC_PAYMENT_MODE?'],
  [['SVC_PORT', 'SVC_PROT'], 'SVC_PROT is none of the settings; did you mean SVC_PORT?'],
  [['SVC_WALLETS_OF_OTHERS'], 'SVC_WALLETS_OF_OTHERS is none of the settings; remove it'],
] as const)('of %j', (given, said) => {
  const unknown = firstUnknownName(given, known)
  expect(unknown === undefined ? undefined : sayUnknownName(unknown)).toBe(said)
})
