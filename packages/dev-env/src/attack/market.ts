import { mintTestUsd } from '@ergon/contracts'
import type { TypedData } from '@ergon/protocols'
import { createClient, type Client } from '@ergon/sdk'
import { ask, type Reply } from './ask.ts'
import { newCaller, type Caller } from './caller.ts'
import type { Target } from './target.ts'

/** An honest person: a wallet with the published library, beside the caller that sends what no library would. */
export type Party = Caller & { readonly client: Client }

/** A wallet with this many dollars. */
export async function newParty(target: Target, dollars = 0n, address?: string): Promise<Party> {
  const caller = newCaller(target, address)
  if (dollars > 0n) await mintTestUsd(target.rpcUrl, caller.signer.address, dollars * 1_000_000n)
  return {
    ...caller,
    client: createClient({
      baseUrl: target.url,
      chainId: target.chainId,
      signer: caller.signer,
      fetch: fetchFrom(caller.address),
      timeoutMs: 20_000,
    }),
  }
}

/** The library comes from the caller's own address too, so that its limits are its own. */
function fetchFrom(from: string): typeof fetch {
  return async (input, init) => {
    const sent = new Request(input, init)
    const { origin, pathname, search } = new URL(sent.url)
    const body = new Uint8Array(await sent.arrayBuffer())
    const reply = await ask(origin, {
      method: sent.method,
      target: pathname + search,
      headers: Object.fromEntries(sent.headers),
      from,
      ...(body.length === 0 ? {} : { body }),
    })
    const headers = Object.entries(reply.headers).flatMap(([name, value]) =>
      typeof value === 'string' ? [[name, value] as const] : [],
    )
    return new Response(hasNoBody(reply.status) ? null : JSON.stringify(reply.body), {
      status: reply.status,
      headers: headers
        .filter(([name]) => name !== 'content-length' && name !== 'transfer-encoding')
        .map(([name, value]) => [name, value]),
    })
  }
}

const hasNoBody = (status: number): boolean => status === 204 || status === 304

export const aTask = (change: Readonly<Record<string, unknown>> = {}): Readonly<Record<string, unknown>> => ({
  title: 'Photograph the gate',
  instructions: 'Stand in front of the gate and write what you see.',
  category: 'simple_action',
  bounty_usd: 0.5,
  evidence_required: ['text_response'],
  ...change,
})

export type Job = { readonly taskId: string; readonly executorId: string }

/** Published by one, applied to by the other. */
export async function applied(
  publisher: Party,
  worker: Party,
  change: Readonly<Record<string, unknown>> = {},
): Promise<Job> {
  const taskId = idOf(await publisher.signed('POST', '/api/v1/tasks', aTask(change)))
  const { executor_id } = await worker.client.tasks.apply({ task_id: taskId, message: 'I am near.' })
  return { taskId, executorId: executor_id }
}

/** Applied to, assigned and locked. */
export async function assigned(
  publisher: Party,
  worker: Party,
  change: Readonly<Record<string, unknown>> = {},
): Promise<Job> {
  const job = await applied(publisher, worker, change)
  await publisher.client.assignWorker({ task_id: job.taskId, executor_id: job.executorId })
  return job
}

/** @throws when the answer made nothing */
export function idOf(reply: Reply): string {
  const { id } = reply.body
  if (typeof id !== 'string')
    throw new Error(`expected something to be made, received ${String(reply.status)} ${JSON.stringify(reply.body)}`)
  return id
}

/** Whether an honest person who was never here is served, and how long that took. */
export async function isServed(target: Pick<Target, 'url' | 'chainId'>, withinMs = 5_000): Promise<boolean> {
  const begun = performance.now()
  const reply = await newCaller(target)
    .ask('GET', '/api/v1/tasks/available')
    .catch(() => undefined)
  return reply?.status === 200 && performance.now() - begun < withinMs
}

/** What a payer signs to lock a bounty for one task, as X-Payment-Auth carries it. */
export async function paymentAuth(publisher: Party, { taskId, executorId }: Job): Promise<string> {
  const { accepts } = await publisher.client.tasks.assignChallenge({ task_id: taskId, executor_id: executorId })
  const [first] = accepts
  if (first === undefined) throw new Error('the challenge offers nothing to sign')
  // The contract says what it holds; the signer wants to know that it is typed data.
  const { typed_data, envelope } = first.extra as unknown as {
    readonly typed_data: TypedData
    readonly envelope: { readonly payload: object }
  }
  return JSON.stringify({
    ...envelope,
    payload: { ...envelope.payload, signature: await publisher.signer.signTypedData(typed_data) },
  })
}

export function assignWith(publisher: Party, { taskId, executorId }: Job, auth: string): Promise<Reply> {
  return publisher.signed(
    'POST',
    `/api/v1/tasks/${taskId}/assign`,
    { executor_id: executorId },
    { 'x-payment-auth': auth },
  )
}
