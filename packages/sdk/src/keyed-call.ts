import type { OperationName } from '@ergon/contract'
import { takesIdempotencyKey, wireOperations, type WireOperation } from '@ergon/contract/wire'
import { ErgonError, errorRemembered } from './ergon-error.ts'
import type { Answer, Sending, Transport } from './transport.ts'

type Fields = Readonly<Record<string, unknown>>

/** Refusals of one call that are gone past before the last of them is believed. */
const generations = 8

/**
 * Calls an operation. A mutation gets a key, so that sending it again cannot do it twice; a call that is told apart
 * by its content gets the key every such call gets, so that a program, or a model, that starts over repeats what it
 * did rather than doing it again (decision 0070).
 */
export async function callKeyed(
  transport: Transport,
  name: OperationName,
  input: Fields,
  sending: Sending,
): Promise<Answer<unknown>> {
  const definition = wireOperations[name]
  const { client_ref: clientRef, idempotency_key: given, ...fields } = input
  const [binding] = definition.rest
  if (binding === undefined || !takesIdempotencyKey(definition, binding))
    return transport.send(definition, input, sending)
  // Loaded with the first call that is keyed: a page that only reads does not carry the hash.
  const { contentKey, isToldByContent } = await import('./idempotency-key.ts')
  const under = (key: string): Promise<Answer<unknown>> =>
    transport.send(
      definition,
      { ...fields, idempotency_key: key },
      { ...sending, key, lookUp: lookUpOf(transport, definition, name, key, sending) },
    )
  if (typeof given === 'string') return under(given)
  if (!isToldByContent(definition)) return under(`r1-${transport.randomNonce()}`)
  const identity = {
    wallet: sending.signer?.signer.address,
    operation: name,
    input: fields,
    clientRef: typeof clientRef === 'string' ? clientRef : undefined,
  }
  for (let generation = 0; ; generation += 1) {
    try {
      return await under(contentKey({ ...identity, generation }))
    } catch (error) {
      // A refusal that was remembered did nothing and may be out of date by now, or what was made is removed: the call
      // is made anew under the next key.
      if (!(error instanceof ErgonError) || !error.replayed || generation + 1 >= generations) throw error
    }
  }
}

/** Asks what became of a call whose answer was lost (GET /api/v1/operations/{key}). */
function lookUpOf(
  transport: Transport,
  definition: WireOperation,
  operation: OperationName,
  key: string,
  { signer, signal }: Sending,
): Sending['lookUp'] {
  // Whoever came with the admin key alone cannot ask; the key makes sending again safe all the same.
  if (definition.access.by === 'admin') return undefined
  return async () => {
    const deadline = transport.now() + transport.timeoutMs
    for (let pauseMs = 250; transport.now() < deadline; pauseMs = Math.min(pauseMs * 2, 2_000)) {
      const how = { signer, signal, once: true } as const
      const found = await transport.send(wireOperations['operations.get'], { key, operation }, how).catch(unknown)
      const state = recordOf(found?.data)
      if (state['state'] !== 'in_flight') return answerOf(state, key)
      await transport.wait(pauseMs)
    }
    return undefined
  }
}

/** A lookup that fails says nothing about the call. */
function unknown(error: unknown): undefined {
  if (!(error instanceof ErgonError)) throw error
}

/** @throws ErgonError when the call was refused. */
function answerOf({ state, status, answer }: Fields, idempotencyKey: string): Answer<unknown> | undefined {
  if (state !== 'done' || typeof status !== 'number') return undefined
  if (status >= 400) throw errorRemembered(status, answer).underKey(idempotencyKey)
  return { status, data: answer, requestId: undefined, replayed: true, idempotencyKey }
}

function recordOf(value: unknown): Fields {
  // Members stay unknown until each is looked at.
  return typeof value === 'object' && value !== null ? (value as Fields) : {}
}
