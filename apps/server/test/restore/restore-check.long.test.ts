import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { startCluster, type Cluster } from '@ergon/dev-env/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { rpc, startRig, type Rig } from '../adapters/rig.ts'
import {
  applied,
  approveFields,
  assign,
  aTask,
  envOf,
  eventually,
  expectStatus,
  paymentAuth,
  startLiveMarket,
  submit,
  type Party,
} from '../http/live-market.ts'

/** What happened between a backup and the fault is on the chain alone; the command finds it (decision 0115). */

let rig: Rig
let cluster: Cluster
const folder = mkdtempSync(join(tmpdir(), 'ergon-dump-'))
const dump = join(folder, 'backup')
beforeAll(async () => {
  ;[rig, cluster] = await Promise.all([startRig(), startCluster()])
})
afterAll(async () => {
  await Promise.all([rig, cluster].map((one) => one[Symbol.asyncDispose]()))
  rmSync(folder, { recursive: true })
})

const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url))

async function restoreCheck(
  databaseUrl: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<{ readonly code: number; readonly lines: readonly string[] }> {
  const env = { ...process.env, ...envOf(rig, databaseUrl, settings) }
  const { stdout, code } = await promisify(execFile)(process.execPath, [main, 'restore-check'], { env }).then(
    (done) => ({ ...done, code: 0 }),
    (error: { readonly stdout: string; readonly stderr: string; readonly code: number }) => {
      const trouble = error.stderr.split('\n').filter((line) => line !== '' && !line.startsWith('restore-check: '))
      if (trouble.length > 0) throw new Error(error.stderr)
      return error
    },
  )
  return { code, lines: stdout.trim().split('\n') }
}

/** What is signed in the second of a restore may be older than it, and is refused. */
const nextSecond = (): Promise<void> => pause(1_000)

const statusOf = async (party: Party, taskId: string): Promise<unknown> =>
  expectStatus(await party.call('GET', `/api/v1/tasks/${taskId}`), 200).body['status']

async function locked(publisher: Party, job: { readonly taskId: string; readonly executorId: string }): Promise<void> {
  expectStatus(await assign(publisher, job, await paymentAuth(publisher, job)), 200)
}

test('locks, releases and refunds of after the backup are booked again or reported, and nothing is locked twice', async () => {
  cluster.create('ergon')
  const jobs = { applied: '', unseen: '', paid: '', cancelled: '', lost: '' }
  let publisher: Party, worker: Party, late: Party
  let executorId: string, submissionId: string
  {
    await using live = await startLiveMarket({ DATABASE_URL: cluster.url('ergon') }, rig)
    ;[publisher, worker, late] = [await live.party(100n), await live.party(0n), await live.party(0n)]
    const first = await applied(publisher, worker)
    const paid = await applied(publisher, worker)
    const cancelled = await applied(publisher, worker)
    await locked(publisher, paid)
    await locked(publisher, cancelled)
    submissionId = await submit(worker, paid.taskId)
    const unseen = expectStatus(await publisher.call('POST', '/api/v1/tasks', aTask()), 201)
    executorId = first.executorId
    Object.assign(jobs, {
      applied: first.taskId,
      paid: paid.taskId,
      cancelled: cancelled.taskId,
      unseen: unseen.body['id'],
    })
    // The chain is followed to here before the backup is made.
    await eventually(
      () => live.get('/api/v1/health/payments'),
      ({ body }) => JSON.stringify(body).includes('"lag_blocks":0'),
      20_000,
    )
    cluster.dump('ergon', dump)
    await locked(publisher, first)
    const applying = expectStatus(
      await late.call('POST', `/api/v1/tasks/${jobs.unseen}/apply`, { message: 'Me.' }),
      201,
    )
    await locked(publisher, { taskId: jobs.unseen, executorId: String(applying.body['executor_id']) })
    const lost = await applied(publisher, worker)
    await locked(publisher, lost)
    jobs.lost = lost.taskId
    expectStatus(
      await publisher.call(
        'POST',
        `/api/v1/submissions/${submissionId}/approve`,
        await approveFields(publisher, submissionId),
      ),
      200,
    )
    expectStatus(await publisher.call('POST', `/api/v1/tasks/${jobs.cancelled}/cancel`, {}), 200)
  }
  await rpc(rig.chain.rpcUrl, 'anvil_mine', ['0x28'])
  cluster.restore('restored', dump)
  const { code, lines } = await restoreCheck(cluster.url('restored'))
  const of = (task: string): readonly string[] => lines.filter((line) => line.includes(task))
  expect(of(jobs.applied)).toEqual([expect.stringMatching(/booked: .* settle 1070000 /) as string])
  expect(of(jobs.unseen)).toEqual([expect.stringMatching(/booked: .* settle 1070000 /) as string])
  expect(of(jobs.paid)).toContainEqual(expect.stringMatching(/booked: .* disburse_worker 930900 /))
  expect(of(jobs.cancelled)).toContainEqual(expect.stringMatching(/booked: .* refund 1070000 /))
  const unclaimed = lines.filter((line) => line.startsWith('finding: unclaimed'))
  expect(unclaimed).toEqual([expect.stringContaining(`${publisher.wallet} pays ${worker.wallet}`) as string])
  expect(code).toBe(1)

  await using live = await startLiveMarket({ DATABASE_URL: cluster.url('restored') }, rig)
  await nextSecond()
  publisher = live.known(publisher)
  const held = await live.balance(publisher.wallet)
  expect([await statusOf(publisher, jobs.applied), await statusOf(publisher, jobs.unseen)]).toEqual([
    'accepted',
    'accepted',
  ])
  const again = await publisher.call('POST', `/api/v1/tasks/${jobs.applied}/assign`, { executor_id: executorId })
  expect([again.status, again.body['code']]).toEqual([409, 'TASK_NOT_ASSIGNABLE'])
  expect(await live.balance(publisher.wallet)).toBe(held)
  // The work goes on, and is paid once.
  const done = await submit(live.known(late), jobs.unseen)
  expectStatus(
    await publisher.call('POST', `/api/v1/submissions/${done}/approve`, await approveFields(publisher, done)),
    200,
  )
  expect(await live.balance(late.wallet)).toBe(930_900n)
  const earned = await live.balance(worker.wallet)
  await publisher.call(
    'POST',
    `/api/v1/submissions/${submissionId}/approve`,
    await approveFields(publisher, submissionId).catch(() => ({})),
  )
  await eventually(
    () => statusOf(publisher, jobs.paid),
    (status) => status === 'completed',
  )
  expect([await live.balance(worker.wallet), await live.balance(publisher.wallet)]).toEqual([earned, held])
  expect((await restoreCheck(cluster.url('restored'))).lines.filter((line) => line.startsWith('booked'))).toEqual([])
})

test('a direct payment of after the backup ends its task, and is not made a second time', async () => {
  cluster.create('direct')
  const env = { SVC_PAYMENT_MODE: 'fase1' }
  const file = join(folder, 'direct')
  let publisher: Party, worker: Party
  let submissionId: string, taskId: string
  {
    await using live = await startLiveMarket({ DATABASE_URL: cluster.url('direct'), ...env }, rig)
    ;[publisher, worker] = [await live.party(100n), await live.party(0n)]
    const job = await applied(publisher, worker)
    taskId = job.taskId
    const chosen = { executor_id: job.executorId }
    expectStatus(await publisher.call('POST', `/api/v1/tasks/${taskId}/assign`, chosen), 200)
    submissionId = await submit(worker, taskId)
    await eventually(
      () => live.get('/api/v1/health/payments'),
      ({ body }) => JSON.stringify(body).includes('"lag_blocks":0'),
      20_000,
    )
    cluster.dump('direct', file)
    const approve = `/api/v1/submissions/${submissionId}/approve`
    expectStatus(await publisher.call('POST', approve, await approveFields(publisher, submissionId)), 200)
    const balance = (): Promise<bigint> => live.balance(publisher.wallet)
    expect(await eventually(balance, (held) => held === 98_930_000n)).toBe(98_930_000n)
  }
  await rpc(rig.chain.rpcUrl, 'anvil_mine', ['0x28'])
  cluster.restore('direct_restored', file)
  const { lines } = await restoreCheck(cluster.url('direct_restored'), env)
  const of = lines.filter((line) => line.includes(taskId))
  expect(of).toContainEqual(expect.stringMatching(/booked: .* disburse_worker 930900 /))
  expect(of).toContainEqual(expect.stringMatching(/booked: .* disburse_fee 139100 /))
  expect(of.filter((line) => line.startsWith('finding'))).toEqual([])

  await using live = await startLiveMarket({ DATABASE_URL: cluster.url('direct_restored'), ...env }, rig)
  await nextSecond()
  publisher = live.known(publisher)
  expect(await statusOf(publisher, taskId)).toBe('completed')
  const again = await publisher.call('POST', `/api/v1/submissions/${submissionId}/approve`, {
    settlement_auth_worker: '{}',
    settlement_auth_fee: '{}',
  })
  expect([again.status, again.body['code']]).toEqual([409, 'SUBMISSION_NOT_REVIEWABLE'])
  expect([await live.balance(publisher.wallet), await live.balance(worker.wallet)]).toEqual([98_930_000n, 930_900n])
})

test('a check that waits for a node says so, and ends when it is told to stop', async () => {
  cluster.create('silent')
  const env = { ...process.env, ...envOf(rig, cluster.url('silent'), { SVC_RPC_LOCALNET: 'http://127.0.0.1:1' }) }
  const child = spawn(process.execPath, [main, 'restore-check'], { env, stdio: ['ignore', 'ignore', 'pipe'] })
  try {
    let told = ''
    for await (const chunk of child.stderr) {
      told += String(chunk)
      if (told.includes('restore-check: reading localnet')) break
    }
    expect(told).toContain('restore-check: reading localnet')
    child.kill('SIGTERM')
    expect(await once(child, 'exit')).toEqual([130, null])
  } finally {
    child.kill('SIGKILL')
  }
})
