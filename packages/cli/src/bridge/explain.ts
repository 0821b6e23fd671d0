import { isDeepStrictEqual } from 'node:util'
import { walletAction, type WalletAction } from '@ergon/contract'
import { hashTypedData, type TypedData } from '@ergon/protocols'
import { Compile } from 'typebox/compile'
import { explainStanding } from './explain-standing.ts'
import { explainLock } from './explain-lock.ts'
import { explainRelease } from './explain-release.ts'
import { explainRuling } from './explain-ruling.ts'
import { explainSettlement } from './explain-settlement.ts'
import { explainTransfer } from './explain-transfer.ts'
import { isFields, readMessage, type Fields } from './messages.ts'
import { demand, type Scene, type Statement } from './statement.ts'
import { reading } from './terms.ts'

/** A tool as the client called it. */
export type ToolCall = { readonly name: string; readonly given: Fields }

/** A block that asks for a signature, taken apart: nothing in it is believed. */
export type Asked = {
  readonly document: TypedData
  /** What the parameter takes, without the signature. */
  readonly value: Fields
  /** The arguments as the client gave them. */
  readonly given: Fields
  /** Arguments that the call takes beside those: part of what is signed. */
  readonly adds: Fields
  /** The words beside the block. */
  readonly challenge: Fields
}
/** What would be signed, and what goes along with it in the same call. */
export type Explained = Statement & { readonly action: WalletAction; readonly besides?: Statement }
type Explain = (asked: Asked, scene: Scene) => Statement

/**
 * What the bridge can explain, by the tool and the argument that take the signature. A `ReleaseApproval` is not among
 * them: it serves callers who did not sign their request, and the bridge signs each.
 */
const known: Readonly<Record<string, Readonly<Record<string, Explain>>>> = {
  svc_assign_task: { payment_auth: explainLock },
  svc_approve_submission: {
    lifecycle_order: explainRelease,
    settlement_auth_worker: explainTransfer('worker'),
    settlement_auth_fee: explainTransfer('fee'),
  },
  svc_offer_settlement: {
    signature: explainSettlement('offer'),
    settlement_auth_worker: explainTransfer('worker'),
    settlement_auth_fee: explainTransfer('fee'),
  },
  svc_accept_settlement: {
    signature: explainSettlement('accept'),
    settlement_auth_worker: explainTransfer('worker'),
    settlement_auth_fee: explainTransfer('fee'),
  },
  svc_rule_dispute: { signature: explainRuling },
}

/** What a signature brings along, by the tool: nothing else may join the call. */
const joining: Readonly<Record<string, readonly string[]>> = {
  svc_offer_settlement: ['expires_at', 'nonce'],
  svc_rule_dispute: ['deadline', 'nonce'],
}

const shape = Compile(walletAction)

/** The block of an answer that asks for a signature; undefined where it asks for none. */
export function blockIn(body: unknown): unknown {
  const block = isFields(body) ? body['wallet_action'] : undefined
  return isFields(block) && block['kind'] === 'eip712' ? block : undefined
}

/**
 * What the signature would do that an answer asks for, read from the document itself; every word beside it has to say
 * the same. @throws NotSigned where the document cannot be explained or the words differ
 */
export function explain(body: Fields, call: ToolCall, scene: Scene): Explained {
  const action = body['wallet_action']
  demand(shape.Check(action), 'the block has another form')
  const { typed_data: came, how_to_return: back } = action
  demand(came !== undefined && back.value !== undefined, 'the block carries nothing to sign')
  demand(back.tool === call.name, `the signature would go to ${back.tool.slice(0, 60).toWellFormed()}`)
  const adds = addedBy(back, call)
  demand(isDeepStrictEqual(back.arguments, { ...call.given, ...adds }), 'the signature would go into another call')
  const read = Object.hasOwn(known, call.name) ? known[call.name] : undefined
  const explained = read !== undefined && Object.hasOwn(read, back.parameter) ? read[back.parameter] : undefined
  demand(explained !== undefined, 'the bridge signs nothing of this kind')
  const document = came as TypedData // hashed against our own before anything is signed
  requireOneDocument(document, action)
  const { challenge } = body
  demand(isFields(challenge), 'the words beside the block are missing')
  const statement = explained({ document, value: back.value, given: call.given, adds, challenge }, scene)
  if (action.besides === undefined) return { ...statement, action }
  demand(statement.act === 'lock', 'only a lock takes a second signature')
  return { ...statement, action, besides: explainStanding(action.besides, { statement, value: back.value }, scene) }
}

function addedBy({ parameter, arguments: all }: WalletAction['how_to_return'], { name }: ToolCall): Fields {
  const names = parameter === 'signature' && Object.hasOwn(joining, name) ? (joining[name] ?? []) : []
  return Object.fromEntries(names.map((one) => [one, all[one]]))
}

/** The calls of other signers carry the document as well; all of them are one. */
function requireOneDocument(document: TypedData, { paybox, ows }: WalletAction): void {
  const intent = paybox?.arguments['intent']
  const text = ows?.arguments['typed_data']
  const copies = [
    ...(paybox === undefined ? [] : [isFields(intent) ? intent['typedData'] : undefined]),
    ...(ows === undefined ? [] : [typeof text === 'string' ? readMessage(text) : undefined]),
  ]
  const hashed = reading(() => hashTypedData(document)).join()
  for (const copy of copies)
    demand(
      // A foreign shape ends in a throw of the hash.
      reading(() => hashTypedData(copy as TypedData)).join() === hashed,
      'the block carries two documents',
    )
}
