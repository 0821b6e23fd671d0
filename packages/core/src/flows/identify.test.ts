import { describe, expect, test } from 'vitest'
import type { WalletCaller } from '../caller.ts'
import { linesOf, refusalOf, scriptedDeps, type Script } from '../testing/scripted-deps.ts'
import { createIdentities } from './identify.ts'

const wallet = 'wallet'
const caller: WalletCaller = { kind: 'wallet', wallet, agentId: null, via: 'signature' }
const stored = { agentId: 7, txHash: '0xminted' }

type Given = {
  readonly script?: Script
  readonly settings?: object
  readonly found?: number | null
  readonly minted?: object | 'pending'
  /** Of what was registered, by the registry. */
  readonly owner?: string | null
}

/** A registry and a store, each with what it knows of a wallet. */
function stage(given: Given = {}) {
  const { script = {}, settings = {}, found = null, minted = { agentId: 9, txHash: '0x09' }, owner } = given
  const one = scriptedDeps({ identity: null, ...script })
  const asked: unknown[][] = []
  const minters: string[] = []
  const identities = {
    lookup(...of: unknown[]) {
      asked.push(['lookup', ...of])
      return Promise.resolve(found)
    },
    register(order: { readonly wallet: string }) {
      asked.push(['register', order])
      minters.push(order.wallet)
      return Promise.resolve(minted)
    },
    holder(...of: unknown[]) {
      asked.push(['holder', ...of])
      return Promise.resolve(owner === null ? null : { owner: owner ?? minters.shift() })
    },
  }
  const deps = {
    ...one.deps,
    identities,
    settings: { ...one.deps.settings, ...settings },
  } as unknown as typeof one.deps
  return { ...createIdentities(deps), written: one.asked, registry: asked }
}
const registered = (of: object = {}) => [
  'register',
  { network: 'localnet', wallet, key: `register:localnet:${wallet}`, ...of },
]
const lookedUp = ['lookup', 'localnet', wallet]
const owned = ['holder', 'localnet', 9]
const kept = (agentId: number, txHash: string | null) =>
  `putIdentity localnet wallet {agentId:${String(agentId)},txHash:${String(txHash)}} now`

describe('the identity of a wallet', () => {
  test('is the one that is stored, and the chain is not asked', async () => {
    const one = stage({ script: { identity: stored } })
    expect([await one.ensureIdentity(wallet), await one.findIdentity(wallet)]).toEqual([7, 7])
    expect(await one.knownIdentity(wallet)).toBe(7)
    expect(one.registry).toEqual([])
  })
  test('is found in the registry, and kept', async () => {
    const one = stage({ found: 8 })
    expect(await one.ensureIdentity(wallet)).toBe(8)
    expect(one.registry).toEqual([lookedUp])
    expect(linesOf(one.written)).toEqual(['identity localnet wallet', kept(8, null)])
  })
  test('is registered where there is none, and kept', async () => {
    const one = stage()
    expect(await one.ensureIdentity(wallet)).toBe(9)
    expect(one.registry).toEqual([lookedUp, registered(), owned])
    expect(linesOf(one.written)).toEqual(['identity localnet wallet', kept(9, '0x09')])
  })
  test('is registered once for all who ask at one time, and asked for anew by who comes later', async () => {
    const one = stage()
    expect(await Promise.all([one.ensureIdentity(wallet), one.ensureIdentity(wallet)])).toEqual([9, 9])
    expect(one.registry).toEqual([lookedUp, registered(), owned])
    await one.ensureIdentity(wallet)
    expect(one.registry).toHaveLength(6)
  })
  test('of one wallet is not that of another, nor on another network', async () => {
    const one = stage()
    await Promise.all([one.ensureIdentity(wallet), one.ensureIdentity('other')])
    expect(one.registry).toHaveLength(6)
  })
  test('comes in a while, where its mint is on its way', async () => {
    const one = stage({ minted: 'pending' })
    expect(await refusalOf(() => one.ensureIdentity(wallet))).toEqual([
      'identity_check_unavailable',
      { wallet, network: 'localnet' },
    ])
    expect(linesOf(one.written)).toEqual(['identity localnet wallet'])
  })
  test('comes in a while, where a node that is behind shows no owner of it', async () => {
    const one = stage({ owner: null })
    expect(await refusalOf(() => one.ensureIdentity(wallet))).toEqual([
      'identity_check_unavailable',
      { wallet, network: 'localnet' },
    ])
    expect(linesOf(one.written)).toEqual(['identity localnet wallet'])
  })
  test('that was given away is not registered again, and nothing of it is kept', async () => {
    const one = stage({ owner: 'another' })
    expect(await refusalOf(() => one.ensureIdentity(wallet))).toEqual([
      'REGISTRATION_FAILED',
      { wallet, network: 'localnet', given_away: 9 },
    ])
    expect(linesOf(one.written)).toEqual(['identity localnet wallet'])
    await expect(one.ensureIdentity(wallet)).rejects.toThrow(/belongs to another now/)
  })
  test('is not registered by who only looks', async () => {
    const one = stage()
    expect([await one.findIdentity(wallet), await one.knownIdentity(wallet)]).toEqual([null, null])
    expect(one.registry).toEqual([])
  })

  describe('where the deployment registers nobody', () => {
    const settings = { autoRegister: false }
    const required = [
      'identity_required',
      { wallet, network: 'localnet', register_endpoint: '/api/v1/reputation/register' },
    ]
    test('is found in the registry', async () => {
      const one = stage({ settings, found: 8 })
      expect([await one.ensureIdentity(wallet), await one.findIdentity(wallet)]).toEqual([8, 8])
      expect(linesOf(one.written)).toContain(kept(8, null))
    })
    test('is the matter of its wallet', async () => {
      const one = stage({ settings })
      expect(await refusalOf(() => one.ensureIdentity(wallet))).toEqual(required)
      expect(await refusalOf(() => one.findIdentity(wallet))).toEqual(required)
      expect(one.registry).toEqual([lookedUp, lookedUp])
    })
  })
})

describe('a caller that owes an identity', () => {
  test('has it from then on, and its gas is counted against where it asks from', async () => {
    const one = stage()
    const owing = { ...caller, owesIdentity: true, from: 'address' } as const
    expect(await one.identified(owing)).toEqual({ ...owing, agentId: 9 })
    expect(one.registry).toEqual([lookedUp, registered({ from: 'address' }), owned])
  })
  test.each<[string, WalletCaller]>([
    ['owes none', caller],
    ['has one', { ...caller, owesIdentity: true, agentId: 4 }],
  ])('stays as it is where it %s', async (_what, given) => {
    const one = stage()
    expect(await one.identified(given)).toBe(given)
    expect(one.registry).toEqual([])
  })
})

describe('a wallet registers itself', () => {
  const profile = { name: null, description: null, network: null }
  const answer = { wallet, network: 'localnet' }

  test('with its name and what it says about itself', async () => {
    const one = stage()
    const said = { name: 'W', description: 'I walk.' }
    expect(await one.registerIdentity(caller, { ...said, network: 'localnet' })).toEqual({
      ...answer,
      agentId: 9,
      txHash: '0x09',
      state: 'registered',
    })
    expect(one.registry).toEqual([lookedUp, registered(said), owned])
  })
  test('on the network of identities, where it names none', async () => {
    const one = stage()
    expect(await one.registerIdentity(caller, profile)).toMatchObject({ network: 'localnet' })
    expect(one.registry[1]).toEqual(registered())
  })
  test.each<[string, Given, object]>([
    ['that is stored', { script: { identity: stored } }, { ...stored, state: 'already_registered' }],
    ['that the registry has', { found: 8 }, { agentId: 8, txHash: null, state: 'already_registered' }],
    ['that is on its way', { minted: 'pending' }, { agentId: null, txHash: null, state: 'pending' }],
  ])('once: one %s is answered', async (_what, given, expected) => {
    expect(await stage(given).registerIdentity(caller, profile)).toEqual({ ...answer, ...expected })
  })
  test('where it is served', async () => {
    const one = stage()
    expect(await refusalOf(() => one.registerIdentity(caller, { ...profile, network: 'nowhere' }))).toEqual([
      'NETWORK_NOT_ACCEPTED',
      { network: 'nowhere', accepted: ['localnet'] },
    ])
  })
})
