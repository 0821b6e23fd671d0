import type { Eip1193Provider } from '@ergon/sdk'

type Call = { readonly method: string; readonly params?: unknown }

const patienceMs = 3_000
/** What throws at once, or answers no promise, is heard like the others. */
const ask = async (provider: Eip1193Provider, call: Call): Promise<unknown> => provider.request(call)

/**
 * Asks a wallet what it answers without the person. One that fails, or does not answer in time, says nothing: what
 * waits for it goes on.
 */
export async function askQuietly(provider: Eip1193Provider, call: Call): Promise<unknown> {
  const { promise: late, resolve: give } = Promise.withResolvers<undefined>()
  const timer = setTimeout(give, patienceMs)
  try {
    return await Promise.race([ask(provider, call).catch(() => undefined), late])
  } finally {
    clearTimeout(timer)
  }
}

/**
 * Asks a wallet what a person answers, for as long as the person waits: a wallet may be closed and say nothing ever.
 * @throws the reason of `given`, once it is given up
 */
export async function askPerson(provider: Eip1193Provider, call: Call, given: AbortSignal): Promise<unknown> {
  given.throwIfAborted()
  const { promise: up, reject } = Promise.withResolvers<never>()
  const giveUp = (): void => {
    reject(given.reason instanceof Error ? given.reason : new Error('given up'))
  }
  given.addEventListener('abort', giveUp)
  try {
    return await Promise.race([ask(provider, call), up])
  } finally {
    given.removeEventListener('abort', giveUp)
  }
}
