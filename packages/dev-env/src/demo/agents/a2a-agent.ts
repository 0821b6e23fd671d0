import { randomUUID } from 'node:crypto'
import type { Message, MessageSendParams, Task } from '@a2a-js/sdk'
import { ClientFactory, ClientFactoryOptions, JsonRpcTransportFactory } from '@a2a-js/sdk/client'
import type { Signer, TypedData } from '@ergon/protocols'
import { objectOf, signAsked, type Act, type Agent, type Fields, type Rating } from './agent.ts'
import { signingFetch } from './signing-fetch.ts'

const actions: Readonly<Record<Act, string>> = {
  publish: 'tasks/create',
  register: 'workers/register',
  apply: 'tasks/apply',
  assign: 'tasks/assign',
  uploadLink: 'evidence/presign_upload',
  submit: 'tasks/submit',
  approve: 'tasks/approve',
  readTask: 'tasks/get',
  readPayment: 'payments/get',
}

/**
 * A party that sends messages to the service as one agent to another, through the public client, made from the card
 * alone.
 */
export async function openA2aAgent(serverUrl: string, chainId: number, signer: Signer): Promise<Agent> {
  const factory = new ClientFactory(
    ClientFactoryOptions.createFrom(ClientFactoryOptions.default, {
      transports: [new JsonRpcTransportFactory({ fetchImpl: signingFetch(signer, chainId) })],
    }),
  )
  const client = await factory.createFromUrl(serverUrl)
  const send = async (action: string, params: Fields): Promise<Fields> => {
    // The answer is wanted as it is now; otherwise the service waits for the task to end (A2A 0.3.0,
    // configuration.blocking).
    const message: MessageSendParams = {
      configuration: { blocking: false },
      message: {
        kind: 'message',
        role: 'user',
        messageId: randomUUID(),
        parts: [{ kind: 'data', data: { action, params } }],
      },
    }
    return dataOf(await client.sendMessage(message))
  }
  const act = async (action: string, params: Fields): Promise<Fields> => {
    const data = await send(action, params)
    if (data['wallet_action'] !== undefined) throw new Error(`${action} wants a signature: ${JSON.stringify(data)}`)
    return objectOf(data['result'])
  }
  return {
    nameOf: (name) => `message/send ${actions[name]}`,
    nameOfRating: () => 'message/send reputation/prepare, then reputation/submit',
    call: (name, fields) => act(actions[name], fields),
    async callSigned(name, fields, check) {
      const data = await send(actions[name], fields)
      if (data['wallet_action'] === undefined) return objectOf(data['result'])
      return objectOf((await signAsked(data, signer, check, (given) => send(actions[name], given)))['result'])
    },
    rate: (rating) => rate(act, signer, rating),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  }
}

/** The data parts of what was said, one object of all. */
function dataOf(answer: Task | Message): Fields {
  const said = answer.kind === 'task' ? answer.status.message : answer
  return Object.fromEntries(
    (said?.parts ?? []).flatMap((part) => (part.kind === 'data' ? Object.entries(part.data) : [])),
  )
}

type Prepared = Fields & {
  readonly typed_data: TypedData
  readonly chain_id: number
  readonly delegate: `0x${string}`
  readonly delegated: boolean
  readonly account_nonce: number
}

/** The author on chain is the party: it signs the rating, and once the delegation of its account. */
async function rate(
  act: (action: string, params: Fields) => Promise<Fields>,
  signer: Signer,
  rating: Rating,
): Promise<string | null> {
  const prepared = (await act('reputation/prepare', { ...rating, comment: 'A pleasure.' })) as Prepared // the contract's output
  const {
    typed_data,
    digest: _digest,
    chain_id: chainId,
    delegate: address,
    delegated,
    account_nonce: nonce,
    rater_role: _rater,
    ratee_role: _ratee,
    ...terms
  } = prepared
  const authorization = delegated
    ? {}
    : { authorization: await signer.signAuthorization?.({ chainId, address, nonce }) }
  const { transaction_hash: hash } = await act('reputation/submit', {
    ...terms,
    signature: await signer.signTypedData(typed_data),
    ...authorization,
  })
  return typeof hash === 'string' ? hash : null
}
