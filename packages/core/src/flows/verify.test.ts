import { describe, expect, test } from 'vitest'
import type { ReviewAnswer, ReviewQuestion } from '../ports/verification.ts'
import type { Submission } from '../submissions/submission.ts'
import type { FileFacts } from '../verification/file-facts.ts'
import { linesOf, scriptedNow, type Script } from '../testing/scripted-deps.ts'
import type { Lines } from '../testing/scripted-lines.ts'
import { heldTask, placeOn, submission } from '../testing/scripted-money.ts'
import { filesOf, verifyDue } from './verify.ts'

const now = scriptedNow
const photo = { key: 'photo', content_type: 'image/jpeg', bytes: 100, sha256: 'aa' }
const device = { clock: null, utcOffsetMin: null } as never
const image = { hash: 'hash', width: 10, height: 10 } as never
const seen: FileFacts = {
  sha256: 'aa',
  contentType: 'image/jpeg',
  bytes: 100,
  width: 10,
  height: 10,
  image: null,
  exif: null,
  aiMarkers: [],
  trouble: null,
}

type Given = {
  readonly work?: Partial<Submission>
  readonly attempts?: number
  readonly facts?: Partial<FileFacts>
  readonly review?: ReviewAnswer | null
  readonly script?: Script
}

/** One submission that is due, of a task that asks for a photo, and what a reviewer says about it. */
function stage({ work = {}, attempts = 1, facts = {}, review = null, script = {} }: Given = {}) {
  const task = heldTask({ evidenceRequired: ['photo'], createdAt: new Date(now.getTime() - 3_780_000) })
  const handedIn = submission({ submittedAt: now, evidence: { photo }, ...work })
  const one = placeOn(task, {
    leaseVerifications: [{ submission: handedIn, task, device, attempts }],
    taskPlace: null,
    assignedAt: now,
    positionReceipts: [],
    exactTwins: [],
    nearTwins: [],
    endVerification: true,
    ...script,
  })
  const inspected: unknown[] = []
  const questions: ReviewQuestion[] = []
  const inspector = {
    inspect(file: unknown) {
      inspected.push(file)
      return Promise.resolve({ ...seen, ...facts })
    },
  }
  const reviewer = {
    review(question: ReviewQuestion) {
      questions.push(question)
      return Promise.resolve(review)
    },
  }
  const verification = { inspector, reviewer: () => (review === null ? null : reviewer) }
  const deps = { ...one.deps, verification } as unknown as typeof one.deps
  return { ...one, deps, inspected, questions }
}
const leased = 'leaseVerifications now 2026-11-21T12:00:40.000Z 64'
const search = '{submissionId:submission,taskId:task,executorId:executor}'
const opened: Lines = ['taskPlace task', 'assignedAt task', `positionReceipts ${search} 20`]
const approves = { outcome: 'answered', answers: [] } as unknown as ReviewAnswer

/** Of each check that was written down, its name and its result. */
const checksOf = (one: ReturnType<typeof stage>): ReadonlyMap<string, string> => {
  const [[, end] = []] = one.of('endVerification')
  const { checks } = end as { checks: readonly { name: string; result: string }[] }
  return new Map(checks.map(({ name, result }) => [name, result]))
}

describe('what was handed in is checked', () => {
  test('and written down, once, and both sides hear of it', async () => {
    const one = stage()
    expect(await verifyDue(one.deps)).toBe(1)
    const lines = linesOf(one.asked)
    expect(lines.slice(0, 5)).toEqual([leased, ...opened, `exactTwins aa ${search} 3`])
    // All that was decided passed; without a reviewer that is 31 of 51.
    expect(lines.filter((line) => line.startsWith('addEvent'))).toEqual([
      'addEvent {id:#1,type:submission.verified,taskId:task,at:now,data:{task_id:task,' +
        'submission_id:submission,executor_id:executor,pre_check_score:1,coverage:0.6078}}',
    ])
    expect(one.inspected).toEqual([photo])
  })
  test('and told once', async () => {
    const one = stage({ script: { endVerification: false } })
    await verifyDue(one.deps)
    expect(one.of('addEvent')).toEqual([])
  })
  test('with what looks like it among all that was ever handed in: the picture is remembered before', async () => {
    const one = stage({ facts: { image } })
    await verifyDue(one.deps)
    const lines = linesOf(one.asked)
    const remembered = `rememberImage {hash:hash,width:10,height:10,evidenceType:photo} ${search}`
    expect(lines.slice(5, 7)).toEqual([remembered, `nearTwins {hash:hash,width:10,height:10} ${search} 12 3`])
  })
  test('later, where nobody had time to open its files', async () => {
    const one = stage({ facts: { trouble: 'busy' } })
    expect(await verifyDue(one.deps)).toBe(1)
    expect(one.of('putOffVerification')).toEqual([['submission', new Date(now.getTime() + 2_000)]])
    expect(one.of('endVerification')).toEqual([])
  })
  test.each([
    [now, 'failed'],
    [null, 'passed'],
  ] as const)('from its assignment on, or where that is not known, from its beginning: %j', async (at, result) => {
    // Three minutes before the assignment, an hour after the task began.
    const gps = { lat: 1, lng: 2, timestamp: new Date(now.getTime() - 180_000).toISOString() }
    const one = stage({ work: { evidence: { gps } }, script: { assignedAt: at } })
    await verifyDue(one.deps)
    expect(checksOf(one).get('time_window')).toBe(result)
  })
  test('and a fault of one holds up no other, but is told', async () => {
    const broken = { ...heldTask(), id: 'broken' }
    const good = { submission: submission({ evidence: {} }), task: heldTask(), device, attempts: 1 }
    const taskPlace = (id: string) => {
      if (id === 'broken') throw new Error('down')
      return null
    }
    const one = stage({ script: { taskPlace, leaseVerifications: [{ ...good, task: broken }, good] } })
    await expect(verifyDue(one.deps)).rejects.toThrow('down')
    expect(one.of('endVerification')).toHaveLength(1)
  })
  test('in a round that may have nothing to do', async () => {
    expect(await verifyDue(stage({ script: { leaseVerifications: [] } }).deps)).toBe(0)
  })
})

describe('what broke off three times is said to be an error', () => {
  test.each([
    [3, 1],
    [4, 0],
  ])('in round %d it is opened %d times', async (attempts, times) => {
    const one = stage({ attempts, review: approves })
    await verifyDue(one.deps)
    expect([one.inspected.length, one.questions.length]).toEqual([times, times])
  })
  test('for files and reviewer alike', async () => {
    const one = stage({ attempts: 4, review: approves })
    await verifyDue(one.deps)
    expect([checksOf(one).get('ai_markers'), checksOf(one).get('review')]).toEqual(['error', 'error'])
  })
  test('but not where there is no reviewer', async () => {
    const one = stage({ attempts: 4 })
    await verifyDue(one.deps)
    expect(checksOf(one).get('review')).toBe('not_configured')
  })
})

describe('a reviewer is asked', () => {
  const evidence = { photo, text_response: 'It is red.', structured_data: { red: true }, gps: { lat: 1, lng: 2 } }
  test('about what was asked for and handed in, and never where it was', async () => {
    const one = stage({ review: approves, work: { evidence } })
    await verifyDue(one.deps)
    const task = heldTask()
    expect(one.questions).toMatchObject([
      { taskTitle: task.title, instructions: task.instructions, category: task.category },
    ])
    const given = one.questions[0]?.evidence ?? []
    expect(given).toHaveLength(3)
    expect(given).toEqual(
      expect.arrayContaining([
        { type: 'photo', file: photo },
        { type: 'text_response', text: 'It is red.' },
        { type: 'structured_data', text: '{"red":true}' },
      ]),
    )
    expect(one.questions[0]?.questions).not.toEqual([])
  })
  test('where there is one', async () => {
    const one = stage()
    await verifyDue(one.deps)
    expect([one.questions, checksOf(one).get('review')]).toEqual([[], 'not_configured'])
  })
})

test('the files of a submission are those of the types that have one', () => {
  const evidence = { photo, text_response: 'It is red.' }
  expect(filesOf({ evidence })).toEqual([{ type: 'photo', file: photo }])
  expect(filesOf({ evidence: {} })).toEqual([])
})
