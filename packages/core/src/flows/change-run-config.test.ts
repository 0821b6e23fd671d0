import { describe, expect, test } from 'vitest'
import type { RunConfig } from '@ergon/contract'
import { linesOf, refusalOf, scriptedDeps } from '../testing/scripted-deps.ts'
import type { Lines } from '../testing/scripted-lines.ts'
import { changeRunConfig } from './change-run-config.ts'

const defaults = { 'bounty.min_usd': 0.01, 'bounty.max_usd': 100, 'networks.closed': '' } as unknown as RunConfig
const act = { actor: 'operator', reason: 'It is asked for.', requestId: 'request' }

async function changed(value: number | null, before: object = {}) {
  const { deps, asked } = scriptedDeps({ lockRunChanges: before })
  const config = await changeRunConfig(deps, { key: 'bounty.min_usd', value, defaults }, act)
  return { config, lines: linesOf(asked) }
}
const looked: Lines = ['transaction', 'lockRunChanges']
const line = (before: string, after: string): string =>
  'addAudit {actor:operator,reason:It is asked for.,requestId:request,id:#1,at:now,action:config.set,' +
  `subject:bounty.min_usd,before:{value:${before}},after:{value:${after}}}`

describe('a setting of the running service is changed (decision 0058)', () => {
  test('and its line is written with it', async () => {
    const { config, lines } = await changed(5)
    expect(config).toEqual({ ...defaults, 'bounty.min_usd': 5 })
    expect(lines).toEqual([...looked, 'putRunChange bounty.min_usd 5 now', line('null', '5')])
  })
  test('back to what the deployment set', async () => {
    const { config, lines } = await changed(null, { 'bounty.min_usd': 5, 'bounty.max_usd': 50 })
    expect(config).toEqual({ ...defaults, 'bounty.max_usd': 50 })
    expect(lines).toEqual([...looked, 'putRunChange bounty.min_usd null now', line('5', 'null')])
  })
  test.each([
    [5, { 'bounty.min_usd': 5 }],
    [null, {}],
  ])('once: as it is already, nothing is written: %j', async (value, before) => {
    expect((await changed(value, before)).lines).toEqual(looked)
  })
  test('within what the deployment lets', async () => {
    const refused = await refusalOf(() => changed(0.001))
    expect(refused).toEqual(['VALIDATION_FAILED', expect.objectContaining({ key: 'bounty.min_usd' })])
  })
  test.each(['moon', 'localnet,moon'])('a network that is not served is not closed: %s', async (value) => {
    const { deps } = scriptedDeps({ lockRunChanges: {} })
    const refused = await refusalOf(() => changeRunConfig(deps, { key: 'networks.closed', value, defaults }, act))
    expect(refused).toEqual(['VALIDATION_FAILED', expect.objectContaining({ received: 'moon' })])
  })
  test.each(['localnet', '*'])('a network that is served is closed: %s', async (value) => {
    const { deps } = scriptedDeps({ lockRunChanges: {} })
    const standing = { ...defaults, 'networks.closed': '' }
    const config = await changeRunConfig(deps, { key: 'networks.closed', value, defaults: standing }, act)
    expect(config['networks.closed']).toBe(value)
  })
})
