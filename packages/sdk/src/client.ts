import type { InputOf, Operation, OperationName, Operations, OutputOf } from '@ergon/contract'
import { wireOperations, type WireOperation } from '@ergon/contract/wire'
import type { Signer } from '@ergon/protocols'
import { callKeyed } from './keyed-call.ts'
import {
  createTransport,
  transportOptions,
  type Answer,
  type Sending,
  type Transport,
  type TransportOptions,
} from './transport.ts'

/** What an operation takes, by its name; a mutation may be given a key, or a reference that tells it from its like. */
export type Input<N extends OperationName> = InputOf<Operations[N]> & Keyed<Operations[N]>
type Keyed<O extends Operation> = O['access']['by'] extends 'wallet' | 'session' | 'admin'
  ? O['rest'][0] extends { readonly method: 'GET' }
    ? unknown
    : Keys
  : unknown
type Keys = {
  /** Your own key; one is made from the content of the call otherwise. */
  readonly idempotency_key?: string
  /** Your own name for this call. Two calls that say the same are one call unless their names differ. */
  readonly client_ref?: string
}
/** What an operation answers, by its name. */
export type Output<N extends OperationName> = OutputOf<Operations[N]>

/** Where the service is and who is calling. Everything but `baseUrl` may be left out. */
export type ClientOptions = { readonly baseUrl: string } & Partial<TransportOptions> & {
    /**
     * Signs every request; without it only what is open to anyone can be called. In a session it signs what moves
     * money.
     */
    readonly signer?: Signer
    /** The chain named in request signatures; asked of the service when not given. */
    readonly chainId?: number
    /** The key of the deployment, for its operator. */
    readonly adminKey?: string
  }

/** What is not said in the input of a call. */
export type CallOptions = { readonly signal?: AbortSignal }

// An input whose every field may be left out may be left out itself.
type Arguments<N extends OperationName> =
  object extends Input<N> ? [input?: Input<N>, options?: CallOptions] : [input: Input<N>, options?: CallOptions]
type Namespace = OperationName extends `${infer S}.${string}` ? S : never
type Methods = {
  readonly [S in Namespace]: {
    readonly [N in OperationName as N extends `${S}.${infer M}` ? M : never]: (
      ...args: Arguments<N>
    ) => Promise<Output<N>>
  }
}

/** Every operation of the contract as a method, `client.tasks.publish(input)`, and by name with its status. */
export type OperationsClient = Methods & {
  call<N extends OperationName>(name: N, ...args: Arguments<N>): Promise<Answer<Output<N>>>
  readonly signer: Signer | undefined
  /** Whether a cookie says who is calling. */
  readonly session: boolean
  readonly transport: Transport
  /** How a call of this client is sent. */
  sending(name: OperationName, options?: CallOptions): Sending
  /** The chain that signatures of this client name. */
  chainId(): Promise<number>
}

/** Derives a client from the contract: no endpoint is written by hand. */
export function createOperationsClient(options: ClientOptions): OperationsClient {
  requireAddress(options.baseUrl)
  const filled = transportOptions(options)
  const transport = createTransport(filled)
  const { signer, adminKey } = options
  const { session } = filled
  const chainId = chainIdSource(transport, options.chainId)
  const sending = (name: OperationName, { signal }: CallOptions = {}): Sending => ({
    signer: signer === undefined || session || !signs(name) ? undefined : { signer, chainId },
    adminKey: adminKey !== undefined && opensToOperators(wireOperations[name]) ? adminKey : undefined,
    signal,
  })
  const call = (
    name: OperationName,
    input: Readonly<Record<string, unknown>> = {},
    given: CallOptions = {},
  ): Promise<Answer<unknown>> => callKeyed(transport, name, input, sending(name, given))
  const methods: Record<
    string,
    Record<string, (input?: Readonly<Record<string, unknown>>, given?: CallOptions) => Promise<unknown>>
  > = {}
  // Object.keys of a constant object answers exactly its declared keys.
  for (const name of Object.keys(wireOperations) as OperationName[]) {
    const [namespace = '', method = ''] = name.split('.')
    const group = (methods[namespace] ??= {})
    group[method] = async (input, given) => (await call(name, input, given)).data
  }
  // The loop above builds, from the same names, what the mapped type says about them.
  return { ...methods, call, signer, session, transport, sending, chainId } as unknown as OperationsClient
}

/** Said at once: `localhost:4020` is a URL as well, of the scheme `localhost`. */
function requireAddress(baseUrl: unknown): void {
  if (typeof baseUrl !== 'string' || !URL.canParse(baseUrl) || !/^https?:$/.test(new URL(baseUrl).protocol))
    throw new TypeError(
      `baseUrl is the address of a service, with http:// or https:// before it; not ${String(baseUrl)}`,
    )
}

/** Reads are signed as well: a publisher sees more of their own tasks than a stranger does. */
function signs(name: OperationName): boolean {
  return wireOperations[name].readBeforeSigning !== true
}

function opensToOperators({ access }: WireOperation): boolean {
  return access.by === 'admin' || (access.by === 'wallet' && access.admin === true)
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
  const { data } = await transport.send(wireOperations['auth.signingPolicy'], {})
  const chains =
    typeof data === 'object' && data !== null && 'supported_chains' in data ? data.supported_chains : undefined
  const first: unknown = Array.isArray(chains) ? chains[0] : undefined
  if (typeof first !== 'number') throw new TypeError('the signing policy of the service names no chain')
  return first
}
