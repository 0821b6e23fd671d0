import { randomUUID } from 'node:crypto'
import { answerOf, isFields, type Fields, type Message } from './messages.ts'
import { NotSigned } from './statement.ts'

/** How a client wants to be asked, by the revision it speaks; undefined where it cannot ask its person. */
export type Manner = 'request' | 'input_required' | undefined

/** The person's answer; `replyTo` is the request that the call is answered to from now on. */
export type Said = { readonly yes: boolean; readonly replyTo: unknown; readonly signal: AbortSignal }

/** Questions that wait for the person at the client. */
export interface Questions {
  /** @throws NotSigned where the client cannot ask, does not answer, or too much is asked at once */
  ask(message: string, manner: Manner, asking: { readonly id: unknown; readonly signal: AbortSignal }): Promise<Said>
  /** Whether a message of the client answers a question; it is not carried on then. */
  take(message: Message, signal: AbortSignal): boolean
}

/** What a person cannot read in this time is asked again by another call. */
const patienceMs = 600_000
const mostOpen = 20

type Open = {
  readonly manner: Manner
  readonly answer: (said: Said) => void
  /** The request that asked for it. */
  readonly id: unknown
  readonly signal: AbortSignal
}

/**
 * Asks by `elicitation/create`, or, where the revision has no requests of servers, by a result that asks for input and
 * a call that comes again. Ids are random, and the service never sees them: what it asks itself cannot be taken for the
 * bridge's question, nor an answer to it for the person's.
 */
export function createQuestions(write: (message: Message) => void): Questions {
  const open = new Map<string, Open>()
  /** Each question is answered once, and the way it was asked. */
  const settle = (key: unknown, manner: Manner, said: (found: Open) => Said): boolean => {
    const found = typeof key === 'string' ? open.get(key) : undefined
    if (found === undefined || found.manner !== manner) return false
    open.delete(String(key))
    found.answer(said(found))
    return true
  }
  return {
    async ask(message, manner, { id, signal }) {
      if (manner === undefined)
        throw new NotSigned('this client cannot ask its person (elicitation), and nothing is signed unasked')
      if (open.size >= mostOpen) throw new NotSigned('too many questions wait for the person')
      const key = randomUUID()
      const asked = { method: 'elicitation/create', params: { message, requestedSchema } }
      try {
        return await new Promise<Said>((resolve, reject) => {
          const giveUp = (): void => {
            reject(new NotSigned('the person did not answer'))
          }
          AbortSignal.any([signal, AbortSignal.timeout(patienceMs)]).addEventListener('abort', giveUp, { once: true })
          if (signal.aborted) giveUp()
          open.set(key, { manner, answer: resolve, id, signal })
          write(
            manner === 'request'
              ? answerOf(key, asked)
              : answerOf(id, {
                  result: { resultType: 'input_required', inputRequests: { sign: asked }, requestState: key },
                }),
          )
        })
      } catch (error) {
        if (manner === 'request')
          write({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: key } } as Message)
        throw error
      } finally {
        open.delete(key)
      }
    },
    take(message, signal) {
      if (message.method === undefined)
        return settle(message.id, 'request', ({ id, signal: its }) => ({
          yes: isYes(message.result),
          replyTo: id,
          signal: its,
        }))
      if (message.method !== 'tools/call') return false
      const { requestState, inputResponses } = message.params ?? {}
      const response = isFields(inputResponses) ? inputResponses['sign'] : undefined
      return settle(requestState, 'input_required', () => ({ yes: isYes(response), replyTo: message.id, signal }))
    },
  }
}

const requestedSchema = {
  type: 'object',
  properties: { sign: { type: 'boolean', title: 'Sign this', default: false } },
  required: ['sign'],
}

/** A dialog that was closed, and one that was sent without a tick, are a no. */
function isYes(result: unknown): boolean {
  return (
    isFields(result) &&
    result['action'] === 'accept' &&
    isFields(result['content']) &&
    result['content']['sign'] === true
  )
}

/** Which forms a client offers, in its initialisation or beside each call. */
export function mannerOf(capabilities: unknown, manner: 'request' | 'input_required'): Manner {
  const elicitation = isFields(capabilities) ? capabilities['elicitation'] : undefined
  if (!isFields(elicitation)) return undefined
  return Object.keys(elicitation).length === 0 || isFields(elicitation['form']) ? manner : undefined
}

/** What a client of the newest revision says about itself with each request; undefined for those before. */
export function ownCapabilities(params: Fields | undefined): unknown {
  const meta = params?.['_meta']
  return isFields(meta) ? meta['io.modelcontextprotocol/clientCapabilities'] : undefined
}
