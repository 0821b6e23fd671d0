import type { NextAct, NextOtherwise, NextWho } from '@ergon/contract'
import type { turnMessages } from '../messages/turns.ts'
import type { MessageValues } from './messages.ts'
import { isTurnOf, type NextStep, type TurnReader } from './turn.ts'

type Key = keyof (typeof turnMessages)['en']
type Say = (key: Key, values?: MessageValues) => string

/** What is to be done, said to whoever does it and to everybody else; some things the service does by itself. */
const acts: Readonly<Record<NextAct, { readonly yours: Key; readonly others: Key; readonly by: Key }>> = {
  apply: { yours: 'they.apply', others: 'they.apply', by: 'until' },
  assign: { yours: 'you.assign', others: 'they.assign', by: 'by' },
  begin: { yours: 'you.begin', others: 'they.begin', by: 'by' },
  hand_in: { yours: 'you.hand_in', others: 'they.hand_in', by: 'by' },
  tick: { yours: 'you.tick', others: 'they.tick', by: 'until' },
  decide: { yours: 'you.decide', others: 'they.decide', by: 'by' },
  rule: { yours: 'you.rule', others: 'they.rule', by: 'by' },
  settle: { yours: 'they.settle', others: 'they.settle', by: 'by' },
  answer_offer: { yours: 'you.answer_offer', others: 'they.answer_offer', by: 'by' },
  carry_out: { yours: 'they.carry_out', others: 'they.carry_out', by: 'after' },
  pay: { yours: 'you.pay', others: 'they.pay', by: 'by' },
}

const otherwises: Readonly<Record<NextOtherwise, Key>> = {
  expire: 'else.expire',
  hand_on: 'else.hand_on',
  dispute: 'else.dispute',
  release_or_dispute: 'else.release_or_dispute',
  release_or_expire: 'else.release_or_expire',
  dispute_or_expire: 'else.dispute_or_expire',
}

/** Before anybody is chosen nothing is set aside, so nothing goes back. */
const holdsNothing: readonly NextAct[] = ['apply', 'assign']

const turns: Readonly<Record<NextWho, Key>> = {
  publisher: 'turn.publisher',
  workers: 'turn.workers',
  worker: 'turn.worker',
  operator: 'turn.operator',
  arbiter: 'turn.arbiter',
  service: 'turn.service',
}

const names: Readonly<Record<NextWho, Key>> = {
  publisher: 'who.publisher',
  workers: 'who.worker',
  worker: 'who.worker',
  operator: 'who.operator',
  arbiter: 'who.arbiter',
  service: 'who.operator',
}

/** What the two sides call themselves, as far as the reader's screen knows it. */
export type SideNames = Readonly<Partial<Record<NextWho, string | null>>>

/** The operator may decide beside an arbiter (decision 0168). */
const isBeside = ({ who }: NextStep, as: TurnReader): boolean => who === 'arbiter' && as === 'operator'

/** Whose turn it is, in a word or two: a name before a role. */
export function turnSaid(say: Say, next: NextStep | null, as: TurnReader, known: SideNames = {}): string {
  if (next === null) return say('turn.over')
  if (isTurnOf(next, as)) return say('turn.yours')
  if (isBeside(next, as)) return say('turn.arbiterOrYou')
  const name = known[next.who] ?? ''
  if (name !== '') return say('turn.named', { name })
  return say(next.who === 'workers' && as === 'publisher' ? 'turn.wanted' : turns[next.who])
}

/** What is to be done, in a sentence. */
export function actSaid(say: Say, next: NextStep, as: TurnReader, known: SideNames = {}): string {
  const { who, what } = next
  const { yours, others } = acts[what]
  const name = isBeside(next, as) ? say('who.arbiterOrYou') : (known[who] ?? '') || say(names[who])
  return say(who === as ? yours : others, { who: name })
}

/** By when; `when` is the moment and `left` how far away it is. */
export function bySaid(say: Say, { what }: NextStep, when: string, left: string): string {
  return say(acts[what].by, { when, left })
}

/** What happens when nobody does it; undefined where the service names nothing. An offer lapses before all else. */
export function otherwiseSaid(say: Say, { what, otherwise }: NextStep): string | undefined {
  if (otherwise === null) return undefined
  const isBare = otherwise === 'expire' && holdsNothing.includes(what)
  return say(what === 'answer_offer' ? 'lapses' : 'otherwise', {
    what: say(isBare ? 'else.end' : otherwises[otherwise]),
  })
}
