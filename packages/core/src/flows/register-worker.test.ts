import { describe, expect, test } from 'vitest'
import type { Party } from '@ergon/contract'
import type { WalletCaller } from '../caller.ts'
import { linesOf, refusalOf, scriptedDeps, scriptedNow, type Script } from '../testing/scripted-deps.ts'
import type { Lines } from '../testing/scripted-lines.ts'
import { bindPayoutAddress, payoutAddress } from './payout-address.ts'
import { registerWorker, requirePerson, workerBehind } from './register-worker.ts'

const signer: WalletCaller = { kind: 'wallet', wallet: 'wallet', agentId: null, via: 'signature' }
const person: WalletCaller = { ...signer, via: 'session' }
const known = (party: Party) => ({ id: 'own', wallet: 'wallet', party })
const forPeople = ['SESSION_NOT_FOR_PARTY', { executor_type: 'agent' }]

function stage(script: Script = {}) {
  const one = scriptedDeps({ workerByWallet: null, changeParty: [], putWorker: 'the worker', ...script })
  const identified = (caller: WalletCaller) => {
    one.asked.push(['identified', caller.wallet])
    return Promise.resolve(caller)
  }
  return { ...one, deps: { ...one.deps, identified } as typeof one.deps }
}

describe('a wallet registers as a worker', () => {
  const identified: Lines = ['identified wallet']
  const put = (party: Party, name = '') => `putWorker {id:#1,wallet:wallet,party:${party},at:now${name}}`

  test('with a name, as what it says', async () => {
    const { deps, asked } = stage()
    expect(await registerWorker(deps, signer, { name: 'W', party: 'robot' })).toBe('the worker')
    expect(linesOf(asked)).toEqual(['workerByWallet wallet', ...identified, put('robot', ',displayName:W')])
  })
  test('again, and stays what it is where it says nothing', async () => {
    const { deps, asked } = stage({ workerByWallet: known('robot') })
    await registerWorker(deps, signer, { name: null, party: null })
    expect(linesOf(asked)).toEqual(['workerByWallet wallet', ...identified, put('robot')])
  })
  test('as another, while nothing that was agreed to is open', async () => {
    const { deps, asked } = stage({ workerByWallet: known('robot') })
    await registerWorker(deps, signer, { name: null, party: 'agent' })
    expect(linesOf(asked)).toEqual([
      'workerByWallet wallet',
      'transaction',
      'changeParty {id:own,wallet:wallet,party:robot} agent',
      ...identified,
      put('agent'),
    ])
  })
  test('as no other while something is, of which the first twenty are named', async () => {
    const open = Array.from({ length: 21 }, (_, index) => String(index))
    const { deps, of } = stage({ workerByWallet: known('robot'), changeParty: open })
    const refused = await refusalOf(() => registerWorker(deps, signer, { name: null, party: 'agent' }))
    expect(refused).toEqual(['ACCOUNT_BUSY', { task_ids: open.slice(0, 20), tasks_in_flight: 21 }])
    expect(of('putWorker')).toEqual([])
  })
})

describe('whoever works', () => {
  const behind = (caller: WalletCaller, script: Script) => {
    const { deps, asked } = stage(script)
    return { asked, done: () => workerBehind(deps, caller, scriptedNow) }
  }
  test('by signing is an agent from then on, or what it was', async () => {
    const { asked, done } = behind(signer, { putWorker: known('robot') })
    expect(await done()).toEqual(known('robot'))
    expect(linesOf(asked)).toEqual(['putWorker {id:#1,wallet:wallet,party:agent,at:now}'])
  })
  test('over a session is the person it was', async () => {
    const { asked, done } = behind(person, { workerByWallet: known('human') })
    expect(await done()).toEqual(known('human'))
    expect(linesOf(asked)).toEqual(['workerByWallet wallet'])
  })
  test('over a session is a person from then on', async () => {
    const { asked, done } = behind(person, { putWorker: known('human') })
    await done()
    expect(linesOf(asked)[1]).toBe('putWorker {id:#1,wallet:wallet,party:human,at:now}')
  })
  test('over a session is no agent', async () => {
    expect(await refusalOf(behind(person, { workerByWallet: known('agent') }).done)).toEqual(forPeople)
  })
  test.each<[WalletCaller, Party, unknown]>([
    [person, 'human', null],
    [person, 'agent', forPeople],
    [signer, 'agent', null],
    [signer, 'human', null],
  ])('%j as %s', async (caller, party, refused) => {
    expect(
      await refusalOf(() => {
        requirePerson(caller, party)
      }),
    ).toEqual(refused)
  })
})

describe('where a worker is paid', () => {
  const own = { worker: known('agent'), payoutAddress: 'address' }
  test('is read by the worker alone', async () => {
    const { deps } = stage(own)
    expect(await payoutAddress(deps, signer, 'own')).toBe('address')
    expect(await payoutAddress(deps, { ...signer, wallet: 'other' }, 'own')).toBe(null)
  })
  test('is kept for the worker that the caller is', async () => {
    const { deps, of } = stage({ workerByWallet: known('agent') })
    expect(await bindPayoutAddress(deps, signer, 'address')).toEqual({ executorId: 'own' })
    expect(of('putPayoutAddress')).toEqual([['own', 'address']])
  })
  test('is kept for nobody else', async () => {
    const { deps, of } = stage({ worker: null })
    expect(await refusalOf(() => bindPayoutAddress(deps, signer, 'address'))).toEqual([
      'WORKER_NOT_FOUND',
      { wallet: 'wallet' },
    ])
    expect(await refusalOf(() => payoutAddress(deps, signer, 'own'))).toEqual([
      'WORKER_NOT_FOUND',
      { executor_id: 'own' },
    ])
    expect(of('putPayoutAddress')).toEqual([])
  })
})
