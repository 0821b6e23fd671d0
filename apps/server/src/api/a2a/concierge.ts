import { a2aActions, categories, operations, type Category, type Operation } from '@ergon/contract'
import type { Caller, Market } from '@ergon/core'
import { presentTask } from '../present/task.ts'
import type { Part } from './task-object.ts'

const looked = 100
const shown = 5

/**
 * Answers words with words: finds open tasks and says how to act. It reads and never changes anything, whoever asks
 * (spec §5.1), and it reads words as words: nothing that is written to it is an order.
 */
export async function answerWords(
  market: Pick<Market, 'availableTasks'>,
  caller: Caller,
  text: string,
): Promise<readonly Part[]> {
  const words = wordsOf(text)
  const category = categories.find((one) => text.toLowerCase().includes(one) || words.includes(one.replaceAll('_', '')))
  const filter = { category: category ?? null, network: null, target: null, minBountyUsd: null, maxBountyUsd: null }
  const { rows } = await market.availableTasks(caller, filter, { limit: looked, offset: 0, cursor: null })
  const ranked = rows.map((task) => ({
    task,
    hits: words.filter((word) => `${task.title} ${task.instructions} ${task.category}`.toLowerCase().includes(word))
      .length,
  }))
  const best = ranked.filter(({ hits }) => hits > 0 || category !== undefined).sort((a, b) => b.hits - a.hits)
  const found = (best.length > 0 ? best : ranked).slice(0, shown).map(({ task }) => task)
  return [
    { kind: 'text', text: `${opening(found.length, best.length > 0, category)} ${howToAct(caller)}` },
    { kind: 'data', data: { tasks: found.map(presentTask), actions: actionList() } },
  ]
}

function opening(count: number, isMatch: boolean, category: Category | undefined): string {
  if (count === 0) return category === undefined ? 'No task is open now.' : `No task of ${category} is open now.`
  return isMatch
    ? `${String(count)} open ${count === 1 ? 'task fits' : 'tasks fit'} your words.`
    : `Nothing open fits your words; these are the newest ${count === 1 ? 'task' : 'tasks'}.`
}

function howToAct(caller: Caller): string {
  const act = 'To act, send a data part {"action": "tasks/create", "params": {…}} with one of the actions listed'
  return caller.kind === 'anonymous'
    ? `${act}, in a request that your wallet signs (RFC 9421, see the agent card).`
    : `${act}.`
}

/** Every action with its summary and whether a wallet must sign for it. */
export function actionList(): readonly { readonly action: string; readonly says: string; readonly signed: boolean }[] {
  return Object.entries(a2aActions).map(([action, name]) => {
    const operation: Operation = operations[name]
    return { action, says: operation.summary, signed: operation.access.by !== 'anyone' }
  })
}

const tooCommon = new Set([
  'task',
  'tasks',
  'open',
  'find',
  'show',
  'what',
  'with',
  'have',
  'that',
  'this',
  'there',
  'about',
  'work',
  'want',
  'need',
  'please',
  'could',
  'which',
])

function wordsOf(text: string): readonly string[] {
  const words =
    text
      .toLowerCase()
      .slice(0, 2_000)
      .match(/[\p{L}\p{N}]{4,40}/gu) ?? []
  return [...new Set(words)].filter((word) => !tooCommon.has(word)).slice(0, 20)
}
