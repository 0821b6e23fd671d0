import { describe, expect, test } from 'vitest'
import type { AdminCaller, WalletCaller } from '../caller.ts'
import { MarketError } from '../errors.ts'
import { readPolicy } from '../policy/policy.ts'
import { schemaCheck } from '../submissions/evidence-rules.ts'
import { createPlainEvidence } from '../testing/fake-ports.ts'
import { aSubmission, aTask } from '../testing/factories.ts'
import { refusalOf, scriptedDeps, scriptedNow, type Script } from '../testing/scripted-deps.ts'
import type { Task } from '../tasks/task.ts'
import { presignDownload, presignUpload, uploadSizes, type UploadInput } from './evidence-files.ts'
import { submit, type SubmitInput } from './submit.ts'

const now = scriptedNow
const worker: WalletCaller = { kind: 'wallet', wallet: 'worker', agentId: null, via: 'signature' }
const publisher: WalletCaller = { ...worker, wallet: 'publisher' }
const stranger: WalletCaller = { ...worker, wallet: 'stranger' }
const admin = { kind: 'admin' } as AdminCaller
const task = aTask({
  id: 'task',
  status: 'accepted',
  publisherWallet: 'publisher',
  executorId: 'executor',
  deadline: new Date(now.getTime() + 1),
  evidenceRequired: ['text_response'],
  evidenceOptional: ['photo', 'gps'],
})
const file = { key: 'key', content_type: 'image/jpeg', bytes: 100, sha256: '00', clean_key: 'clean' }
const limits = { perTask: 10, perWalletDay: 20, perDay: 30 }
const unassigned = ['FORBIDDEN', { task_id: 'task', status: 'accepted' }]

type Given = {
  readonly script?: Script
  readonly spent?: object | null
  readonly resolved?: object
  readonly claims?: boolean
}

function stage({ script = {}, spent = null, resolved, claims = true }: Given = {}) {
  const said: [string, ...unknown[]][] = []
  const note =
    <T>(name: string, answer: T) =>
    (...of: unknown[]): Promise<T> => {
      said.push([name, ...of])
      return Promise.resolve(answer)
    }
  const link = { url: 'put', publicUrl: 'get', key: 'key', expiresInSec: 900, headers: {}, maxBytes: 25_000_000 }
  const evidence = {
    ...createPlainEvidence(),
    presignUpload: note('presignUpload', link),
    presignDownload: note('presignDownload', { url: 'get', expiresInSec: 900 }),
    ownerOf: (key: string) => (key === 'unknown' ? null : { taskId: 'task', executorId: 'executor' }),
    ...(resolved === undefined ? {} : { resolve: () => Promise.resolve(resolved) }),
  }
  const uploads = {
    limits,
    reserve: note('reserve', spent),
    claim: note('claim', claims),
    taken: note('taken', undefined),
    sizes: () => Promise.resolve({ files: 3 }),
  }
  const answers: Script = {
    task: (id: string) => (id === 'task' ? task : null),
    workerByWallet: (wallet: string) => (wallet === 'worker' ? { id: 'executor' } : null),
    isParticipant: (_task: string, wallet: string) => wallet === 'worker',
    submissions: [aSubmission({ id: 'submission', taskId: 'task', evidence: { photo: file, text_response: 'done' } })],
    lockTask: task,
    ...script,
  }
  const one = scriptedDeps(answers, { evidence, uploads } as never)
  return { ...one, said }
}

const upload = (change: Partial<UploadInput> = {}): UploadInput => ({
  taskId: 'task',
  contentType: 'image/jpeg',
  filename: null,
  evidenceType: 'photo',
  bytes: 100_000,
  ...change,
})

describe('a link to upload to', () => {
  test('has room for the file, and for no more', async () => {
    const { deps, said } = stage()
    expect(await presignUpload(deps, worker, upload())).toEqual({
      url: 'put',
      publicUrl: 'get',
      key: 'key',
      expiresInSec: 900,
      headers: {},
      maxBytes: 100_000,
      contentType: 'image/jpeg',
    })
    expect(said).toEqual([
      ['presignUpload', { taskId: 'task', executorId: 'executor', contentType: 'image/jpeg', bytes: 100_000 }, now],
      ['reserve', { taskId: 'task', executorId: 'executor', key: 'key', bytes: 100_000 }, now],
    ])
  })
  test('has room for the longest file where no length is known, and for a small one at least for so much', async () => {
    expect((await presignUpload(stage().deps, worker, upload({ bytes: null }))).maxBytes).toBe(25_000_000)
    expect((await presignUpload(stage().deps, worker, upload({ bytes: 1 }))).maxBytes).toBe(65_536)
  })
  test.each<[string, Given, WalletCaller, unknown]>([
    ['its publisher', {}, publisher, unassigned],
    ['a stranger', {}, stranger, unassigned],
    ['another worker', { script: { workerByWallet: { id: 'other' } } }, worker, unassigned],
    ['nobody of a task that is not there', { script: { task: null } }, worker, ['TASK_NOT_FOUND', { task_id: 'task' }]],
    [
      'its worker while it is reviewed',
      { script: { task: { ...task, status: 'verifying' } } },
      worker,
      ['TASK_NOT_SUBMITTABLE', { task_id: 'task', status: 'verifying', escrow_status: 'pending_assignment' }],
    ],
  ])('is for the worker of the task alone, not for %s', async (_what, given, caller, refused) => {
    const { deps, said } = stage(given)
    expect(await refusalOf(() => presignUpload(deps, caller, upload()))).toEqual(refused)
    expect(said).toEqual([])
  })
  test.each([
    ['task', ['UPLOAD_QUOTA_EXCEEDED', { limit_bytes: 10 }]],
    [
      'day',
      ['UPLOAD_BUDGET_SPENT', { budget: 'day', limit_bytes: 30, reset_at: now.toISOString(), retry_after_sec: 7 }],
    ],
  ])('is refused where the %s has no room', async (budget, refused) => {
    const { deps } = stage({ spent: { budget, reset: now, secondsLeft: 7 } })
    expect(await refusalOf(() => presignUpload(deps, worker, upload()))).toEqual(refused)
  })
  test('what uploads take in all is told', async () => {
    expect(await uploadSizes(stage().deps)).toEqual({ files: 3 })
  })
})

describe('a stored file is read', () => {
  const of = async (caller: WalletCaller | AdminCaller, key = 'key', given: Given = {}) => {
    const { deps, said, asked } = stage(given)
    const answer = await presignDownload(deps, caller, key)
    return { answer, said, stamps: asked.filter(([name]) => name.startsWith('stamp')) }
  }
  test.each([
    ['its worker, as it is', worker, 'key'],
    ['who decides disputes, as it is', admin, 'key'],
    ['its publisher, as the clean copy', publisher, 'clean'],
  ] as const)('by %s', async (_what, caller, key) => {
    const { answer, said } = await of(caller)
    expect(answer).toEqual({ key, url: 'get', expiresInSec: 900 })
    expect(said).toEqual([['presignDownload', key, now]])
  })
  test('and the first reading of its publisher is noted, of nobody else', async () => {
    expect((await of(publisher)).stamps).toEqual([['stampEvidenceAccess', ['submission'], now]])
    expect([(await of(worker)).stamps, (await of(admin)).stamps]).toEqual([[], []])
  })
  test('by its publisher as it is, where there is no other copy', async () => {
    const plain = aSubmission({ taskId: 'task', evidence: { photo: { ...file, clean_key: undefined } } })
    expect((await of(publisher, 'key', { script: { submissions: [plain] } })).answer.key).toBe('key')
  })
  test('by its publisher under the name of the clean copy', async () => {
    expect((await of(publisher, 'clean')).answer.key).toBe('clean')
    expect((await of(worker, 'clean')).answer.key).toBe('clean')
  })
  test('by its worker before it is submitted', async () => {
    expect((await of(worker, 'other')).answer.key).toBe('other')
  })
  const takenDown = {
    submissions: [aSubmission({ taskId: 'task', evidence: {}, takenDown: { at: now, keys: ['key'] } as never })],
  }
  const amongOthers = { submissions: [...takenDown.submissions, aSubmission({ taskId: 'task', evidence: {} })] }
  test.each<[string, WalletCaller | AdminCaller, string, Script, unknown]>([
    [
      'that was taken down, beside one that was not',
      worker,
      'key',
      amongOthers,
      ['EVIDENCE_TAKEN_DOWN', { key: 'key' }],
    ],
    ['that nobody knows', admin, 'unknown', {}, ['NOT_FOUND', { key: 'unknown' }]],
    ['of a stranger', stranger, 'key', {}, ['FORBIDDEN', { key: 'key' }]],
    ['of another worker', worker, 'key', { workerByWallet: { id: 'other' } }, ['FORBIDDEN', { key: 'key' }]],
    ['that was not submitted, by the publisher', publisher, 'other', {}, ['FORBIDDEN', { key: 'other' }]],
    ['that was taken down, by the publisher', publisher, 'key', takenDown, ['EVIDENCE_TAKEN_DOWN', { key: 'key' }]],
    ['that was taken down, by its worker', worker, 'key', takenDown, ['EVIDENCE_TAKEN_DOWN', { key: 'key' }]],
    ['of a task that is not there', admin, 'key', { task: null }, ['TASK_NOT_FOUND', { task_id: 'task' }]],
  ])('but not one %s', async (_what, caller, key, script, refused) => {
    const { deps, said } = stage({ script })
    expect(await refusalOf(() => presignDownload(deps, caller, key))).toEqual(refused)
    expect(said).toEqual([])
  })
})

describe('work is handed in', () => {
  const given = (change: Partial<SubmitInput> = {}): SubmitInput => ({
    executorId: null,
    evidence: { text_response: 'It is open.', photo: 'http://evidence/key', gps: { lat: 1, lng: 2, accuracy_m: 5 } },
    notes: 'On time.',
    deviceMetadata: { platform: 'x' },
    ...change,
  })
  const id = (count: number): string => `01950000-0000-7000-8000-0000000f424${String(count)}`
  const { clean_key: _clean, ...stored } = file
  const submission = {
    id: id(1),
    taskId: 'task',
    executorId: 'executor',
    status: 'pending_review',
    submittedAt: now,
    evidence: { photo: stored, text_response: 'It is open.', gps: { lat: 1, lng: 2, accuracy_m: 5 } },
    notes: 'On time.',
    checks: [schemaCheck],
    preCheckScore: null,
    coverage: null,
    verifiedAt: null,
    rejectionReason: null,
    paymentTx: null,
    decidedAt: null,
    evidenceAccessedAt: null,
    takenDown: null,
  }

  test('whole, as two moves, and its publisher is told', async () => {
    const { deps, asked, said } = stage()
    let woken = 0
    const wakeup = { settlements: () => undefined, verifications: () => (woken += 1) }
    const answer = await submit({ ...deps, wakeup }, worker, 'task', given({ executorId: 'executor' }))
    expect(answer).toEqual({ submission, task: { ...task, status: 'verifying', updatedAt: now } })
    expect(said).toEqual([
      ['claim', 'http://evidence/key', now],
      ['taken', 'http://evidence/key', ['key']],
    ])
    const from = asked.findIndex(([name]) => name === 'transaction')
    const data = { task_id: 'task', submission_id: id(1) }
    expect(asked.slice(from + 1)).toEqual([
      ['lockTask', 'task'],
      ['insertSubmission', submission],
      [
        'addVerification',
        submission,
        expect.objectContaining({ files: [{ file: stored, type: 'photo' }], fix: expect.anything() as unknown }),
      ],
      ['moveTask', 'task', 'submitted', now],
      ['moveTask', 'task', 'verifying', now],
      ['addEvent', { id: id(2), type: 'task.submitted', taskId: 'task', at: now, data }],
      [
        'addEvent',
        {
          id: id(3),
          type: 'submission.received',
          taskId: 'task',
          at: now,
          data: { ...data, evidence_types: expect.arrayContaining(['photo', 'text_response', 'gps']) as unknown },
        },
      ],
    ])
    expect(woken).toBe(1)
  })
  test('and its review begins, where it has one: three timers, and the deadline waits for its end', async () => {
    const policy = readPolicy({ reviewHours: 10 })
    const { deps, of } = stage({ script: { lockTask: { ...task, policy, escrowStatus: 'none' } } })
    await submit(deps, worker, 'task', given())
    const after = (hours: number): Date => new Date(now.getTime() + hours * 3_600_000)
    expect(of('putTimer')).toEqual([
      ['task', 'review_half', after(5)],
      ['task', 'review_late', after(9)],
      ['task', 'review_end', after(10)],
    ])
    expect(of('changeTask')).toEqual([
      ['task', { reviewUntil: after(10) }, now],
      ['task', { deadline: after(10) }, now],
    ])
    expect(of('addEvent')[0]?.[0]).toMatchObject({
      type: 'task.deadline_moved',
      data: { deadline: after(10).toISOString(), was: task.deadline.toISOString(), reason: 'submitted' },
    })
  })
  test('and the review ends before what is held can be taken back', async () => {
    const policy = readPolicy({ reviewHours: 10 })
    const expiry = now.getTime() / 1_000 + 5 * 3_600
    const { deps, of } = stage({
      script: {
        lockTask: { ...task, policy, escrowStatus: 'authorized', deadline: new Date(now.getTime() + 86_400_000) },
        escrowPayment: { authorizationExpiry: expiry },
      },
    })
    await submit(deps, worker, 'task', given())
    const [[, , end] = []] = of('putTimer').filter(([, kind]) => kind === 'review_end')
    expect((end as Date).getTime()).toBeLessThanOrEqual(expiry * 1_000)
    expect(of('changeTask')).toEqual([['task', { reviewUntil: end }, now]])
  })

  const gone = { ...task, status: 'cancelled' }
  const notSubmittable = (of: Partial<Task>) => [
    'TASK_NOT_SUBMITTABLE',
    { task_id: 'task', status: of.status ?? 'accepted', escrow_status: of.escrowStatus ?? 'pending_assignment' },
  ]
  const notFiled = (constraint: unknown, received?: string) => [
    'EVIDENCE_INVALID',
    { field: 'photo', constraint, ...(received === undefined ? {} : { received }) },
  ]
  test.each<[string, Given, Partial<SubmitInput>, unknown]>([
    ['for another worker', {}, { executorId: 'other' }, ['FORBIDDEN', { executor_id: 'other' }]],
    [
      'while its money goes back',
      { script: { task: { ...task, escrowStatus: 'refunding' } } },
      {},
      notSubmittable({ escrowStatus: 'refunding' }),
    ],
    ['at the deadline', { script: { task: { ...task, deadline: now } } }, {}, ['DEADLINE_PASSED', { task_id: 'task' }]],
    ['of a task that went meanwhile', { script: { lockTask: null } }, {}, ['TASK_NOT_FOUND', { task_id: 'task' }]],
    ['of a task that ended meanwhile', { script: { lockTask: gone } }, {}, notSubmittable({ status: 'cancelled' })],
    [
      'with a file that is of another type',
      { resolved: { ...file, contentType: 'application/pdf', cleanKey: null } },
      {},
      notFiled(expect.arrayContaining(['image/jpeg']), 'application/pdf'),
    ],
    ['with a file that was refused', { resolved: { refused: 'no picture' } }, {}, notFiled('no picture')],
    ['with a file that another submission takes', { claims: false }, {}, notFiled(expect.any(String))],
    [
      'with a link that is not ours',
      {},
      { evidence: { text_response: 'It is open.', photo: 'http://elsewhere/key' } },
      notFiled(expect.any(String)),
    ],
    [
      'with a value against its rule',
      {},
      { evidence: { text_response: 7 } },
      ['EVIDENCE_INVALID', expect.objectContaining({ field: 'text_response' })],
    ],
  ])('but not %s', async (_what, one, change, refused) => {
    const { deps, of } = stage(one)
    expect(await refusalOf(() => submit(deps, worker, 'task', given(change)))).toEqual(refused)
    expect(of('insertSubmission')).toEqual([])
  })
  test('a clean copy is kept beside the file', async () => {
    const resolved = { key: 'key', contentType: 'image/jpeg', bytes: 100, sha256: '00', cleanKey: 'clean' }
    const { deps, said } = stage({ resolved })
    expect((await submit(deps, worker, 'task', given())).submission.evidence.photo).toEqual(file)
    expect(said).toContainEqual(['taken', 'http://evidence/key', ['key', 'clean']])
  })
  test('a failed identity hands in nothing', async () => {
    const { deps, of } = stage()
    const identified = () => Promise.reject(new MarketError('REGISTRATION_FAILED'))
    expect(await refusalOf(() => submit({ ...deps, identified }, worker, 'task', given()))).toEqual([
      'REGISTRATION_FAILED',
      {},
    ])
    expect(of('insertSubmission')).toEqual([])
  })
})
