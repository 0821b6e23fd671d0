import { expect, test } from 'vitest'
import { settingsOf, settingsPage } from './settings-page.ts'

const text = `
export type Raw = {
  /** Where to listen. */
  readonly host: string | undefined
  readonly port: string | undefined
}
const rpcPrefix = 'FACILITATOR_RPC_'
export const read = (env: Record<string, string>) => ({ host: env['FACILITATOR_HOST'], port: env['FACILITATOR_PORT'] })
throw new Error('set FACILITATOR_HOST to an address')
`

test('a setting is found where it is read, with the comment of the member it goes to', () => {
  expect(settingsOf([{ path: 'env.ts', text }])).toEqual([
    { name: 'FACILITATOR_HOST', meaning: 'Where to listen.' },
    { name: 'FACILITATOR_PORT', meaning: '' },
    { name: 'FACILITATOR_RPC_', meaning: '' },
  ])
})

test('a prefix is printed as one setting for each name', () => {
  expect(settingsPage({ facilitator: [{ path: 'env.ts', text }] })).toContain('| `FACILITATOR_RPC_<NAME>` |  |')
})
