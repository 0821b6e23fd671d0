import { operations, type InputOf, type Operation, type OperationName, type Operations, type OutputOf } from '@ergon/contract'
import type { Signer } from '@ergon/protocols'
import { createTransport, transportOptions, type Answer, type RequestSigner, type Transport, type TransportOptions } from './transport.ts'

/** What an operation takes, by its name; a mutation takes an idempotency key as well, and is then repeated when it is safe to. */
export type Input<N extends OperationName> = InputOf<Operations[N]> & Keyed<Operations[N]>
type Keyed<O extends Operation> = O['access']['by'] extends 'wallet' | 'session' | 'admin' ? (O['rest'][0] extends { readonly method: 'GET' } ? unknown : { readonly idempotency_key?: string }) : unknown
/** What an operation answers, by its name. */
export type Output<N extends OperationName> = OutputOf<Operations[N]>

/** Where the service is and who is calling. Everything but `baseUrl` may be left out. */
export type ClientOptions = { readonly baseUrl: string } & Partial<TransportOptions> & {
    /** Signs every request; without it only what is open to anyone can be called. */
    readonly signer?: Signer
    /** The chain named in request signatures; asked of the service when not given. */
    readonly chainId?: number
  }

// An input whose every field may be left out may be left out itself.
type Arguments<N extends OperationName> = object extends Input<N> ? [input?: Input<N>] : [input: Input<N>]
type Namespace = OperationName extends `${infer S}.${string}` ? S : never
type Methods = {
  readonly [S in Namespace]: {
    readonly [N in OperationName as N extends `${S}.${infer M}` ? M : never]: (...args: Arguments<N>) => Promise<Output<N>>
  }
}

/** Every operation of the contract as a method, `client.tasks.publish(input)`, and by name with its status. */
export type OperationsClient = Methods & {
  call<N extends OperationName>(name: N, ...args: Arguments<N>): Promise<Answer<Output<N>>>
  readonly signer: Signer | undefined
  readonly transport: Transport
}

/** Derives a client from the contract: no endpoint is written by hand. */
export function createOperationsClient(options: ClientOptions): OperationsClient {
  const transport = createTransport(transportOptions(options))
  const { signer } = options
  const requestSigner = signer === undefined ? undefined : { signer, chainId: chainIdSource(transport, options.chainId) }
  const call = (name: OperationName, input: Readonly<Record<string, unknown>> = {}): Promise<Answer<unknown>> =>
    transport.send(operations[name], input, signs(name, requestSigner))
  const methods: Record<string, Record<string, (input?: Readonly<Record<string, unknown>>) => Promise<unknown>>> = {}
  // Object.keys of a constant object answers exactly its declared keys.
  for (const name of Object.keys(operations) as OperationName[]) {
    const [namespace = '', method = ''] = name.split('.')
    const group = (methods[namespace] ??= {})
    group[method] = async (input) => (await call(name, input)).data
  }
  // The loop above builds, from the same names, what the mapped type says of them.
  return { ...methods, call, signer, transport } as unknown as OperationsClient
}

/** Reads are signed as well: a publisher sees more of their own tasks than a stranger does. */
function signs(name: OperationName, signer: RequestSigner | undefined): RequestSigner | undefined {
  return name === 'auth.signingPolicy' ? undefined : signer
}

function chainIdSource(transport: Transport, given: number | undefined): () => Promise<number> {
  let asked: Promise<number> | undefined
  return () => {
    if (given !== undefined) return Promise.resolve(given)
    asked ??= firstServedChain(transport).catch((error: unknown) => {
      asked = undefined
      throw error
    })
    return asked
  }
}

async function firstServedChain(transport: Transport): Promise<number> {
  const definition: Operation = operations['auth.signingPolicy']
  const { data } = await transport.send(definition, {})
  const chains = typeof data === 'object' && data !== null && 'supported_chains' in data ? data.supported_chains : undefined
  const first: unknown = Array.isArray(chains) ? chains[0] : undefined
  if (typeof first !== 'number') throw new TypeError('the signing policy of the service names no chain')
  return first
}
