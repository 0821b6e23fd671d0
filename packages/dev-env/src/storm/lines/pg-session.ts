import { textsOf, type Frame } from './pg-frames.ts'

/** What one question to PostgreSQL is called, and whether its answer tells of something that is durable by then. */
export type Question = { readonly name: string; readonly hasEffect: boolean }

/** Follows one connection: which statements it prepared, whether it is inside a transaction, what that has written. */
export type PgSession = {
  /** A message of the client; answers the question that it completes. */
  ask(frame: Frame): Question | undefined
  /** The transaction status of a ReadyForQuery: I, T or E. */
  ready(status: string): void
}

type Statement = { readonly name: string; readonly text: string }

export function createPgSession(): PgSession {
  const prepared = new Map<string, string>()
  let current: Statement = { name: '', text: '' }
  let written = new Set<string>()
  let status = 'I'

  const named = ({ name, text }: Statement): Question => {
    const begins = /^\s*(\w+)/.exec(text)?.[1]?.toLowerCase() ?? ''
    if (begins === 'commit' || begins === 'end') {
      const tables = [...written]
      return { name: commitName(tables), hasEffect: tables.length > 0 }
    }
    if (begins === 'begin' || begins === 'start' || begins === 'rollback') return { name: begins, hasEffect: false }
    const writes = writesIn(text)
    const locks = /pg_(try_)?advisory/.test(text)
    const label = name === '' ? (locks ? 'advisory-lock' : writes.join('+') || `${begins} ${tableRead(text)}`) : name
    if (status === 'I') return { name: label, hasEffect: writes.length > 0 || locks }
    for (const one of name === '' ? writes : writes.length > 0 ? [name] : []) written.add(one)
    return { name: `${label} (within)`, hasEffect: false }
  }

  return {
    ask({ type, body }) {
      switch (type) {
        case 'P': {
          const [name = '', text = ''] = textsOf(body, 2)
          if (name !== '') prepared.set(name, text)
          current = { name: givenName(name), text }
          return undefined
        }
        case 'B': {
          const [, name = ''] = textsOf(body, 2)
          if (name !== '') current = { name: givenName(name), text: prepared.get(name) ?? '' }
          return undefined
        }
        case 'Q':
          return named({ name: '', text: textsOf(body, 1)[0] ?? '' })
        case 'S':
          return named(current)
        default:
          return undefined
      }
    },
    ready(next) {
      if (next === 'I') written = new Set()
      status = next
    },
  }
}

/** What its author calls a statement; the server names by their texts those that have no name (decision 0258). */
const givenName = (name: string): string => (name.startsWith('by-text-') ? '' : name)

/** What a text writes, as `table.verb`. A lock for update and the update of a conflict write nothing of their own. */
export function writesIn(text: string): readonly string[] {
  const found = text.matchAll(
    /(?<!\b(?:for|key|do)\s+)\b(insert\s+into|update(?!\s+or\b)|delete\s+from)\s+(?:only\s+)?"?([a-z_][a-z_0-9]*)"?/gi,
  )
  const verbs = [...found].map(
    ([, verb = '', table = '']) => `${table.toLowerCase()}.${verb.split(/\s/)[0]?.toLowerCase() ?? ''}`,
  )
  return [...new Set(verbs)].sort()
}

function tableRead(text: string): string {
  return /\bfrom\s+"?([a-z_][a-z_0-9]*)/i.exec(text)?.[1]?.toLowerCase() ?? 'nothing'
}

/** The steps of money have names of their own; whatever else commits is named by what it wrote. */
function commitName(written: readonly string[]): string {
  const has = (label: string): boolean => written.some((one) => one.startsWith(label))
  const ending = has('ledger.insert') ? 'confirm ' : has('payment_events.insert') ? 'give-back ' : 'postpone '
  const step = has('settlements.insert') ? 'claim ' : has('settlements.update') ? ending : ''
  return `commit ${step}${written.toSorted().join('+')}`.trim()
}
