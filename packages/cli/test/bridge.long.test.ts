import { startConstellation, type Constellation } from '@ergon/dev-env'
import { networks } from '@ergon/protocols'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { tokenBalance } from '../src/token-balance.ts'
import { openTerminal, type Terminal } from './binary.ts'
import { bodyOf, bridgeSays, openHost, type Host } from './bridge/host.ts'

/** A tool host that cannot sign anything does a whole paid job through the bridge, on a real chain. */
let constellation: Constellation
let terminal: Terminal
const patienceMs = 240_000
const task = {
  title: 'What is on the menu today?',
  instructions: 'Go to the canteen at noon and write down the three dishes of the day.',
  category: 'simple_action',
  bounty_usd: 1.07,
  evidence_required: ['text_response'],
}
const usdc = networks.localnet.tokens['USDC']?.address ?? ''
const addresses: Record<string, string> = {}
const balance = async (who: string): Promise<bigint> =>
  tokenBalance(constellation.record().rpcUrl, usdc, addresses[who] ?? '')

async function profile(name: string, dollars: number, limits: readonly [string, string] | null): Promise<void> {
  const made = await terminal.json<{ address: string }>(['init', '--network', 'localnet', '--profile', name])
  expect(made.code).toBe(0)
  addresses[name] = made.data.address
  if (dollars > 0)
    expect(await terminal.json(['faucet', String(dollars), '--profile', name])).toMatchObject({ code: 0 })
  if (limits !== null)
    expect(
      await terminal.json(['mcp', 'limits', '--per-task', limits[0], '--per-day', limits[1], '--profile', name]),
    ).toMatchObject({ code: 0, data: { signed_in_24_hours_usd: '0.00' } })
}

beforeAll(async () => {
  constellation = await startConstellation({ ephemeral: true })
  const { serverUrl, rpcUrl } = constellation.record()
  if (serverUrl === undefined) throw new Error('the constellation has a server')
  terminal = openTerminal({ ERGON_URL: serverUrl, ERGON_RPC_URL: rpcUrl })
  await profile('worker', 0, null)
}, patienceMs)
afterAll(async () => {
  terminal[Symbol.dispose]()
  await constellation.stop()
})

/** Published through the host, applied to by the worker. */
async function applied(host: Host, title: string): Promise<{ readonly task_id: string; readonly executor_id: string }> {
  const task_id = String(bodyOf(await host.call('svc_publish_task', { ...task, title }))['id'])
  const application = await terminal.json<{ executor_id: string }>(['apply', task_id, '--profile', 'worker'])
  expect(application.code, JSON.stringify(application)).toBe(0)
  const { applications } = bodyOf(await host.call('svc_get_applications', { task_id })) as {
    readonly applications: readonly { readonly executor_id: string }[]
  } // the tool's output
  return { task_id, executor_id: String(applications[0]?.executor_id) }
}

test.each(['newest', 'before'] as const)(
  'a client of the %s revision publishes, assigns, approves and rates through the bridge',
  async (revision) => {
    await profile(`payer-${revision}`, 5, ['2', '4'])
    await using host = await openHost(terminal, `payer-${revision}`, { revision, person: () => true })
    const job = await applied(host, `A menu, ${revision}`)
    const before = await balance('worker')
    const assigned = await host.call('svc_assign_task', job)
    expect(bodyOf(assigned)).toMatchObject({ status: 'accepted', worker_wallet: addresses['worker'] })
    expect(host.asked).toHaveLength(1)
    for (const words of [
      `Hold 1.07 USDC (Local chain, chain 31337) in escrow for task ${job.task_id}.`,
      `They are paid to ${addresses['worker'] ?? ''} when you approve`,
      '1.07 of 2.00 are signed for this task, and 1.07 of 4.00 in 24 hours',
    ])
      expect(host.asked[0]).toContain(words)
    expect(bridgeSays(assigned)).toContain('The wallet signed: Hold 1.07 USDC')
    // What a tool publishes carries the default policy: the word for silence is signed in the same call.
    expect(host.asked[0]).toContain('If you say nothing: from ')
    expect(bridgeSays(assigned)).toContain('The wallet signed: If you say nothing: from ')
    expect(
      await terminal.json(['submit', job.task_id, '--text', 'Soup, dumplings, strudel', '--profile', 'worker']),
    ).toMatchObject({ code: 0 })
    const { submissions } = bodyOf(await host.call('svc_check_submission', { task_id: job.task_id })) as {
      readonly submissions: readonly { readonly id: string }[]
    } // the tool's output
    const approved = await host.call('svc_approve_submission', { submission_id: submissions[0]?.id })
    expect(bodyOf(approved)).toMatchObject({ status: 'approved', worker_net_usdc: 0.9309 })
    expect(host.asked).toHaveLength(2)
    expect(host.asked[1]).toContain(
      `Pay 1.07 USDC (Local chain, chain 31337) out of escrow to ${addresses['worker'] ?? ''}`,
    )
    expect(host.asked[1]).toContain('You had it locked through this bridge')
    // What was locked through the bridge is not counted again.
    expect(host.asked[1]).toContain('1.07 of 4.00 in 24 hours')
    expect((await balance('worker')) - before).toBe(930_900n)
    const rated = await host.call('svc_rate_worker', { task_id: job.task_id, score: 95 })
    expect(bodyOf(rated)).toMatchObject({ network: 'localnet' })
    expect(await terminal.json(['mcp', 'limits', '--profile', `payer-${revision}`])).toMatchObject({
      data: { signed_in_24_hours_usd: '1.07' },
    })
  },
  patienceMs,
)

test(
  'a no, a closed dialog, a client that cannot ask and a wallet without limits move nothing',
  async () => {
    await profile('wary', 5, ['2', '4'])
    await profile('unlimited', 5, null)
    let says: boolean | 'closed' = false
    await using host = await openHost(terminal, 'wary', { person: () => says })
    await using mute = await openHost(terminal, 'wary')
    const job = await applied(host, 'A menu that is not paid for')
    for (const answer of [false, 'closed'] as const) {
      says = answer
      const refused = await host.call('svc_assign_task', job)
      expect(refused).toMatchObject({ isError: true, structuredContent: { code: 'escrow_signature_required' } })
      expect(bridgeSays(refused)).toContain('The bridge did not sign: the person said no.')
    }
    const unasked = await mute.call('svc_assign_task', job)
    // The block stays, for a host that has another signer.
    expect(unasked).toMatchObject({ isError: true, structuredContent: { wallet_action: { kind: 'eip712' } } })
    expect(bridgeSays(unasked)).toContain('this client cannot ask its person')
    await using bare = await openHost(terminal, 'unlimited', { person: () => true })
    expect(bridgeSays(await bare.call('svc_assign_task', await applied(bare, 'A menu without limits')))).toContain(
      'ergon mcp limits --per-task 5 --per-day 20',
    )
    expect(bare.asked).toEqual([])
    expect([await balance('wary'), await balance('unlimited')]).toEqual([5_000_000n, 5_000_000n])
    expect(bodyOf(await host.call('svc_get_task', { task_id: job.task_id }))).toMatchObject({ status: 'published' })
  },
  patienceMs,
)

test(
  'both sides settle through their bridges: each is asked in words, and the money moves as they say',
  async () => {
    await profile('settler', 5, ['2', '4'])
    const written = await terminal.json(['mcp', 'limits', '--per-task', '2', '--per-day', '4', '--profile', 'worker'])
    expect(written).toMatchObject({ code: 0 })
    await using payer = await openHost(terminal, 'settler', { person: () => true })
    await using mate = await openHost(terminal, 'worker', { person: () => true })
    const { task_id, executor_id } = await applied(payer, 'Half a menu')
    bodyOf(await payer.call('svc_assign_task', { task_id, executor_id }))
    const before = await balance('worker')
    const offer = bodyOf(
      await mate.call('svc_offer_settlement', { task_id, worker_amount_usd: 0.5, note: 'I am ill.' }),
    )
    expect(offer).toMatchObject({ status: 'open', by: 'worker', note: 'I am ill.' })
    expect(mate.asked.join()).toContain(`Offer to settle task ${task_id} for good: 0.50 USDC`)
    expect(mate.asked.join()).toContain('With it, 0.00 of 2.00 are signed for this task')
    const accepted = await payer.call('svc_accept_settlement', { offer_id: offer['id'] })
    expect(bodyOf(accepted)).toMatchObject({ status: 'settled' })
    expect(payer.asked[1]).toContain('0.57 USDC (Local chain, chain 31337) back to the payer')
    // What was locked through the bridge is not counted again.
    expect(payer.asked[1]).toContain('1.07 of 2.00 are signed for this task')
    expect((await balance('worker')) - before).toBe(435_000n)
  },
  patienceMs,
)

test(
  'the day is not begun anew by another bridge, and bridges at once do not spend twice',
  async () => {
    await profile('tight', 10, ['1.07', '2.14'])
    const jobs: Awaited<ReturnType<typeof applied>>[] = []
    {
      await using host = await openHost(terminal, 'tight', { person: () => true })
      for (const title of ['one', 'two', 'three', 'four']) jobs.push(await applied(host, `A menu, ${title}`))
      bodyOf(await host.call('svc_assign_task', jobs[0]))
    }
    // Each in a bridge of its own, with the same question before its person: one place is left.
    const both = Promise.withResolvers<boolean>()
    let waiting = 0
    const person = (): Promise<boolean> => {
      waiting += 1
      if (waiting === 3) both.resolve(true)
      return both.promise
    }
    const hosts = await Promise.all(
      (['newest', 'before', 'newest'] as const).map((revision) => openHost(terminal, 'tight', { revision, person })),
    )
    const answers = await Promise.all(hosts.map((host, index) => host.call('svc_assign_task', jobs[index + 1])))
    expect(answers.filter(({ isError }) => isError !== true)).toHaveLength(1)
    expect(answers.map(bridgeSays).filter((says) => says.includes('past the limit per day'))).toHaveLength(2)
    expect(await balance('tight')).toBe(10_000_000n - 2_140_000n)
    // The next bridge begins where they ended, and asks nobody.
    const lost = answers.findIndex(({ isError }) => isError === true)
    await using late = await openHost(terminal, 'tight', { person })
    expect(bridgeSays(await late.call('svc_assign_task', jobs[lost + 1]))).toContain('past the limit per day')
    expect(waiting).toBe(3)
    for (const host of hosts) await host[Symbol.asyncDispose]()
    expect(await balance('tight')).toBe(10_000_000n - 2_140_000n)
  },
  patienceMs,
)
