import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { once } from 'node:events'
import { privateKeySigner, type Signer, type TypedData } from '@ergon/protocols'

type Json = Readonly<Record<string, unknown>>
type Asked = { readonly request_id: string; readonly wallet: string } & (
  | { readonly kind: 'message'; readonly message: string }
  | { readonly kind: 'typed_data'; readonly typed_data: TypedData }
)
/** How it treats requests: as it should, or in one of the ways in which a signer goes wrong. */
export type Manner =
  | 'asks the owner'
  | 'signs at once'
  | 'denies'
  | 'signs and is not heard'
  | 'is slow'
  | 'lies'
  | 'names another wallet'
  | 'names another request'
  | 'is autonomous after all'
  | 'breaks'
  | 'answers no JSON'
  | 'answers without end'
  | 'redirects'

/** An external signer that holds keys of wallets and can be told how to behave. */
export type SignerDouble = AsyncDisposable & {
  readonly url: string
  readonly key: string
  standing: string
  manner: Manner
  hold(wallet: string, signer: Signer): void
  /** What was asked to be signed, in order. */
  readonly asked: readonly Asked[]
  /** Ids of what was really signed; each at most once, or something went wrong. */
  readonly signed: readonly string[]
  /** The secrets that requests of a wallet came with. */
  readonly secrets: readonly (string | undefined)[]
  readonly standingAsked: readonly string[]
  approve(): void
}

export async function startSignerDouble(): Promise<SignerDouble> {
  const signers = new Map<string, Signer>()
  const signatures = new Map<string, string>()
  const approved = new Set<string>()
  const [asked, signed, secrets, standingAsked]: [Asked[], string[], (string | undefined)[], string[]] = [
    [],
    [],
    [],
    [],
  ]
  const state = { standing: 'asks_owner', manner: 'asks the owner' as Manner }
  const key = 'the key of this deployment'

  const signatureOf = async (request: Asked): Promise<string> => {
    const known = signatures.get(request.request_id)
    if (known !== undefined) return known
    const signer =
      state.manner === 'lies' ? privateKeySigner(`0x${'66'.repeat(32)}`) : signers.get(request.wallet.toLowerCase())
    if (signer === undefined) throw new Error('no such wallet')
    const signature =
      request.kind === 'message'
        ? await signer.signMessage(request.message)
        : await signer.signTypedData(request.typed_data)
    signatures.set(request.request_id, signature)
    signed.push(request.request_id)
    return signature
  }
  const sign = async (request: Asked, response: ServerResponse): Promise<void> => {
    asked.push(request)
    const { request_id, wallet } = request
    const about = { request_id, wallet }
    const done = async (change: Json = {}): Promise<void> => {
      const link_secret = `secret of ${wallet.slice(0, 8)}`.replaceAll(' ', '-')
      say(response, 200, { ...about, status: 'signed', signature: await signatureOf(request), link_secret, ...change })
    }
    const approvalUrl = `http://127.0.0.1/approve/${request_id}`
    switch (state.manner) {
      case 'asks the owner':
        return approved.has(request_id)
          ? done()
          : say(response, 202, { ...about, status: 'pending', approval_url: approvalUrl })
      case 'signs at once':
      case 'lies':
        return done()
      case 'denies':
        return say(response, 200, { ...about, status: 'denied' })
      case 'signs and is not heard':
        await signatureOf(request)
        response.destroy()
        return
      case 'is slow':
        await signatureOf(request)
        setTimeout(() => void done(), 1_500).unref()
        return
      case 'names another wallet':
        return done({ wallet: `0x${'77'.repeat(20)}` })
      case 'names another request':
        return done({ request_id: 'another' })
      case 'is autonomous after all':
        return say(response, 200, { ...about, status: 'autonomous_wallet' })
      case 'breaks':
        return say(response, 500, {})
      case 'answers no JSON':
        response.end('<html>')
        return
      case 'answers without end':
        response.end(`"${'x'.repeat(100_000)}"`)
        return
      case 'redirects':
        response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end()
    }
  }
  const server = createServer((request, response) => {
    void answer(request, response).catch(() => response.destroy())
  })
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.headers.authorization !== `Bearer ${key}`) return say(response, 401, {})
    const secret = request.headers['x-link-secret']
    secrets.push(typeof secret === 'string' ? secret : undefined)
    if (request.method === 'GET') {
      const wallet = String(request.url).split('/').at(-1) ?? ''
      standingAsked.push(wallet)
      return state.standing === 'is away'
        ? void response.destroy()
        : say(response, 200, { wallet, status: state.standing })
    }
    let text = ''
    for await (const piece of request) text += String(piece)
    return sign(JSON.parse(text) as Asked, response)
  }
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return Object.assign(state, {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    key,
    asked,
    signed,
    secrets,
    standingAsked,
    hold: (wallet: string, signer: Signer) => void signers.set(wallet.toLowerCase(), signer),
    approve() {
      for (const { request_id } of asked) approved.add(request_id)
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  })
}

function say(response: ServerResponse, status: number, body: Json): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}
