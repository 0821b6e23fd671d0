import { expect, test } from 'vitest'
import { rotateKeys } from './rotate-keys.ts'

test('no key is rotated where there is no delegated access', async () => {
  // No database is there to be asked.
  const settings = { databaseUrl: 'postgres://nobody@127.0.0.1:1/none', oauth: false }
  await expect(rotateKeys(settings, new Date())).rejects.toThrow('SVC_OAUTH is off')
})
