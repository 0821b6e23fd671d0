import { describe, expect, test } from 'vitest'
import type { Asked } from '../messages/question.ts'
import type { Task } from '../tasks/task.ts'
import { linesOf, refusalOf, scriptedNow, type Script, walletOf } from '../testing/scripted-deps.ts'
import type { Lines } from '../testing/scripted-lines.ts'
import { heldTask, placeOn } from '../testing/scripted-money.ts'
import { answerQuestion, askQuestion, questions } from './questions.ts'

const now = scriptedNow
const none: Asked = { inTask: 0, unanswered: 0, byWorker: 0, inDay: 0, dayBegan: null }
const open = { status: 'published', escrowStatus: 'pending_assignment', executorId: null } as const
const taskOf = (change: Partial<Task> = {}): Task => heldTask({ ...open, ...change })
const question = {
  id: 'question',
  taskId: 'task',
  audience: 'public',
  executorId: 'own',
  side: 'worker',
  author: 'worker',
  text: 'Which gate?',
  answers: null,
  createdAt: now,
  answer: null,
}

function stage(script: Script = {}, task: Partial<Task> = {}) {
  const own = taskOf(task)
  return placeOn(own, {
    task: own,
    lockTask: own,
    isParticipant: false,
    putWorker: { id: 'own', wallet: 'worker', party: 'agent' },
    areApart: false,
    orderedSeller: null,
    asked: none,
    question,
    questions: 'a page',
    ...script,
  })
}
const ask = ({ deps }: ReturnType<typeof stage>, wallet = 'worker') =>
  askQuestion(deps, walletOf(wallet), 'task', 'Which gate?')
const answer = ({ deps }: ReturnType<typeof stage>, wallet = 'payer') =>
  answerQuestion(deps, walletOf(wallet), 'task', { questionId: 'question', text: 'The red one.' })

const shown = (id: string) =>
  `id:${id},taskId:task,audience:public,executorId:own,side:worker,author:worker,text:Which gate?,` +
  'answers:null,createdAt:now'
const forbidden = ['FORBIDDEN', { task_id: 'task' }]
const notFound = ['TASK_NOT_FOUND', { task_id: 'task' }]
const closed = (status: string) => ['TASK_NOT_OPEN', { task_id: 'task', status }]
const told = 'Questions are asked and answered while a task is open for applications.'

describe('a worker asks before it applies', () => {
  test('in public, and the publisher hears of it', async () => {
    const one = stage()
    expect(linesOf([['asked', await ask(one)]])).toEqual([`asked {${shown('#2')},answer:null}`])
    expect(linesOf(one.asked)).toEqual([
      'task task',
      'isParticipant task worker',
      'putWorker {id:#1,wallet:worker,party:agent,at:now}',
      'areApart payer worker',
      'transaction',
      'lockTask task',
      'orderedSeller task',
      `asked {${shown('#2')}} 2026-11-20T12:00:00.000Z`,
      `insertMessage {${shown('#2')}}`,
      'addEvent {id:#3,type:question.asked,taskId:task,at:now,' + 'data:{task_id:task,question_id:#2,executor_id:own}}',
    ])
  })
  test.each<[string, string, Script, Partial<Task>, unknown]>([
    ['what it published itself', 'payer', {}, {}, forbidden],
    ['what is not there', 'worker', { task: null }, {}, notFound],
    ['what is gone', 'worker', { lockTask: null }, {}, notFound],
    ['what another was assigned to', 'worker', { lockTask: taskOf({ status: 'accepted' }) }, {}, closed('accepted')],
    ['after the deadline', 'worker', {}, { deadline: now }, closed('published')],
    ['where it was blocked', 'worker', { areApart: true }, {}, ['PARTY_BLOCKED', {}]],
    ['what another was asked to do', 'worker', { orderedSeller: 'seller' }, {}, closed('published')],
    ['without room', 'worker', { asked: { ...none, inTask: 100 } }, {}, ['TASK_NOT_OPEN', expect.anything()]],
  ])('not %s', async (_what, wallet, script, task, refused) => {
    const one = stage(script, task)
    expect(await refusalOf(() => ask(one, wallet))).toEqual(refused)
    expect(one.of('insertMessage')).toEqual([])
  })
  test('and is registered for no question that is refused anyway', async () => {
    const one = stage({}, { deadline: now })
    await expect(ask(one)).rejects.toThrow(told)
    expect(one.of('putWorker')).toEqual([])
  })
})

describe('the publisher answers', () => {
  test('a question, in public, and who asked hears of it', async () => {
    const one = stage()
    const answered = await answer(one)
    const words =
      'id:#1,taskId:task,audience:public,executorId:own,side:publisher,author:payer,text:The red one.,' +
      'answers:question,createdAt:now,answer:null'
    expect(linesOf([['answered', answered.answer]])).toEqual([`answered {${words}}`])
    expect(answered).toMatchObject({ id: 'question', text: 'Which gate?' })
    const lines: Lines = [
      'task task',
      'transaction',
      'lockTask task',
      'question task question',
      `insertMessage {${words}}`,
      'addEvent {id:#2,type:question.answered,taskId:task,at:now,' +
        'data:{task_id:task,question_id:question,executor_id:own}}',
    ]
    expect(linesOf(one.asked)).toEqual(lines)
  })

  const unknown = [
    'VALIDATION_FAILED',
    {
      field: 'question_id',
      constraint: 'a question of this task that has no answer yet',
      received: 'question',
    },
  ]
  test.each<[string, string, Script, unknown]>([
    ['nobody else', 'worker', {}, forbidden],
    ['once', 'payer', { question: { ...question, answer: question } }, unknown],
    ['what was asked', 'payer', { question: null }, unknown],
    ['while it is open', 'payer', { lockTask: taskOf({ status: 'cancelled' }) }, closed('cancelled')],
    ['while it is there', 'payer', { lockTask: null }, notFound],
  ])('%s', async (_what, wallet, script, refused) => {
    const one = stage(script)
    expect(await refusalOf(() => answer(one, wallet))).toEqual(refused)
    expect(one.of('insertMessage')).toEqual([])
  })
})

describe('questions are read', () => {
  const page = { limit: 5, offset: 0, cursor: null }
  test('by whoever may see the task', async () => {
    const one = stage()
    expect(await questions(one.deps, { kind: 'anonymous' }, 'task', page)).toBe('a page')
    expect(one.of('questions')).toEqual([['task', page]])
  })
  test('by no stranger to what is over', async () => {
    const { deps } = stage({}, { status: 'cancelled' })
    expect(await refusalOf(() => questions(deps, { kind: 'anonymous' }, 'task', page))).toEqual([
      'TASK_GONE',
      { task_id: 'task', status: 'cancelled' },
    ])
  })
})
