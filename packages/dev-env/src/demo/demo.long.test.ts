import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import type { PaymentMode } from '../constellation/options.ts'
import type { ChapterReport } from './chapters/chapter.ts'
import type { DemoReport } from './demo.ts'
import type { Via } from './demo-options.ts'

const command = fileURLToPath(new URL('../cli/demo.ts', import.meta.url))
const nowhere = fileURLToPath(new URL('./no-constellation-here', import.meta.url))
const childPatienceMs = 170_000

/** Runs the command as a person would, on a constellation of its own. */
async function runCommand(
  ...args: readonly string[]
): Promise<{ readonly code: number | null; readonly out: string; readonly err: string }> {
  const child = spawn(process.execPath, [command, '--data', nowhere, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: childPatienceMs,
    env: { ...process.env, NO_COLOR: '1' },
  })
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  const [code, out, err] = await Promise.all([ended, text(child.stdout), text(child.stderr)])
  return { code, out, err }
}

test.each<{ mode: PaymentMode; bounty: string; worker: string; treasury: string }>([
  { mode: 'fase2', bounty: '1.00', worker: '870000', treasury: '130000' },
  { mode: 'fase1', bounty: '0.01', worker: '8700', treasury: '1300' },
  { mode: 'fase5', bounty: '2.345679', worker: '2040741', treasury: '304938' },
])(
  'two wallets carry a task from publish to paid and rated in mode $mode',
  async ({ mode, bounty, worker, treasury }) => {
    const { code, out, err } = await runCommand('--json', '--mode', mode, '--bounty', bounty)
    expect(code, err).toBe(0)
    // The last line is the report, as another program reads it.
    const report = JSON.parse(out.trimEnd().split('\n').at(-1) ?? '') as DemoReport
    const hash: unknown = expect.stringMatching(/^0x[0-9a-f]{64}$/)
    expect(report).toMatchObject({
      ok: true,
      worker_delta: worker,
      treasury_delta: treasury,
      payer_delta: `-${report.bounty_atomic}`,
      txs: {
        authorize: mode === 'fase1' ? null : hash,
        release: hash,
        distribute_fees: hash,
        rate_worker: hash,
        rate_publisher: hash,
      },
    })
    expect(BigInt(worker) + BigInt(treasury)).toBe(BigInt(report.bounty_atomic))
  },
)

test('--mode channel pays by the unit, and a foreign client reads the same figures from the ledger', async () => {
  const { code, out, err } = await runCommand('--json', '--mode', 'channel', '--bounty', '0.50')
  expect(code, err).toBe(0)
  // Twelve scans of 0.025: 87 and 13 percent of 0.30, and 0.20 never leave the publisher.
  expect(JSON.parse(out.trimEnd().split('\n').at(-1) ?? '')).toMatchObject({
    ok: true,
    mode: 'channel',
    units: 12,
    consumed_atomic: '300000',
    worker_delta: '261000',
    treasury_delta: '39000',
    payer_delta: '-300000',
    txs: { settle: expect.stringMatching(/^[1-9A-HJ-NP-Za-km-z]{80,90}$/) as unknown },
  })
  // The meter is shown while it runs.
  expect(err).toMatch(/scan {2}3 {3}0\.075000 charged {3}0\.425000 left {3}open/)
  expect(err).toMatch(/scan 12 {3}0\.300000 charged {3}0\.200000 back {3}settled/)
})

test('--via cli plays the main job through the binary, and the chain shows the same figures', async () => {
  const { code, out, err } = await runCommand('--json', '--via', 'cli')
  expect(code, err).toBe(0)
  expect(JSON.parse(out.trimEnd().split('\n').at(-1) ?? '')).toMatchObject({
    ok: true,
    worker_delta: '870000',
    treasury_delta: '130000',
    payer_delta: '-1000000',
  })
  expect(err).toContain('publisher$ ergon task publish')
}, 180_000)

test.each<{ via: Via; mode: PaymentMode; says: string }>([
  { via: 'mcp', mode: 'fase2', says: 'publisher > svc_publish_task' },
  { via: 'mcp', mode: 'fase1', says: 'worker > svc_submit_work' },
  { via: 'a2a', mode: 'fase2', says: 'publisher > message/send tasks/create' },
  { via: 'a2a', mode: 'fase1', says: 'worker > message/send tasks/submit' },
])(
  '--via $via plays the main job over that protocol in mode $mode, and the chain shows the same figures',
  async ({ via, mode, says }) => {
    const { code, out, err } = await runCommand('--json', '--via', via, '--mode', mode)
    expect(code, err).toBe(0)
    expect(JSON.parse(out.trimEnd().split('\n').at(-1) ?? '')).toMatchObject({
      ok: true,
      worker_delta: '870000',
      treasury_delta: '130000',
      payer_delta: '-1000000',
    })
    expect(err).toContain(says)
  },
  180_000,
)

test('--all also plays a job between two people, a split, a refund at expiry, silence, late rejections, an agreement and a ruling', async () => {
  const { code, out, err } = await runCommand('--json', '--all')
  expect(code, err).toBe(0)
  const { ok, chapters, scenes } = JSON.parse(out.trimEnd().split('\n').at(-1) ?? '') as DemoReport & {
    readonly scenes: readonly { readonly name: string; readonly ok: boolean }[]
    readonly chapters: readonly ChapterReport[]
  }
  expect(ok).toBe(true)
  expect(scenes).toEqual(chapters.map(({ name }) => ({ name, ok: true })))
  expect(
    chapters.map(({ name, payer_delta, worker_delta, treasury_delta, faults }) => ({
      name,
      payer_delta,
      worker_delta,
      treasury_delta,
      faults,
    })),
  ).toEqual([
    {
      name: 'person_to_person',
      payer_delta: '-1000000',
      worker_delta: '870000',
      treasury_delta: '130000',
      faults: [],
    },
    { name: 'dispute_split', payer_delta: '-600000', worker_delta: '522000', treasury_delta: '78000', faults: [] },
    { name: 'expiry_refund', payer_delta: '0', worker_delta: '0', treasury_delta: '0', faults: [] },
    ...['silence_released', 'dispute_outlived_deadline'].map((name) => ({
      name,
      payer_delta: '-1000000',
      worker_delta: '870000',
      treasury_delta: '130000',
      faults: [],
    })),
    {
      name: 'settled_by_parties',
      payer_delta: '-500000',
      worker_delta: '435000',
      treasury_delta: '65000',
      faults: [],
    },
    { name: 'ruled_by_arbiter', payer_delta: '-600000', worker_delta: '522000', treasury_delta: '78000', faults: [] },
  ])
})

test('a wrong word ends with 1 before anything is started', async () => {
  const { code, out, err } = await runCommand('--bounty', '1000')
  expect([code, out]).toEqual([1, ''])
  expect(err).toContain('--bounty')
})
