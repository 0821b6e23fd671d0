import * as Type from 'typebox'
import type { Static } from 'typebox'
import { a2aActions } from '../a2a.ts'
import type { OperationName } from '../operations/index.ts'
import { open, optional, typedData } from '../schema.ts'
import type { Tool } from './tool.ts'
import { tools, type ToolName } from './tools.ts'

/** What a caller does with a block (spec §5, OAuth 10). */
export const walletActionKinds = ['eip712', 'eip712_incomplete', 'paybox_signed', 'paybox_pending'] as const

/** Why a linked signer gave no signature; the first two keep the recipe (spec §5, OAuth 12). */
export const linkReasons = [
  'autonomous_wallet',
  'approval_not_required',
  'denied',
  'unlinked_by_paybox',
  'signature_refused',
  'answer_unknown',
  'awaits_owner',
  'too_many_open',
] as const

type Fields = Readonly<Record<string, unknown>>
const fields = (description: string) => Type.Record(Type.String(), Type.Unknown(), { description })

const signingCall = (description: string) =>
  optional(
    open(
      {
        tool: Type.String({ description: 'The tool of the signer.' }),
        arguments: fields('What it takes.'),
        needs: fields('What only its owner knows: name → what to put there.'),
      },
      description,
    ),
  )

const value = fields('What the parameter takes, without the signature.')
const signatureAt = Type.Enum(['signature', 'payload.signature'], { description: 'Where in value it goes.' })
const encoding = Type.Enum(['object', 'json_text', 'text'], {
  description: 'Whether the parameter takes value itself, its JSON text, or the signature alone.',
})
const besides = optional(
  open(
    {
      says: Type.String({ description: 'What it does, and what happens without it.' }),
      typed_data: typedData(),
      parameter: Type.String({ description: 'The argument of the same call that takes it.' }),
      value,
      signature_at: signatureAt,
      encoding,
    },
    'A second signature that the call takes and does not need: with it sent along, it does more.',
  ),
)

/** What a call answers that lacks a signature; nothing has changed then. */
export const walletAction = open(
  {
    kind: Type.Enum([...walletActionKinds], {
      description:
        'eip712: sign typed_data; eip712_incomplete: read instead; paybox_signed: call how_to_return.tool with how_to_return.arguments; paybox_pending: the owner approves, then the same call again.',
    }),
    reason: Type.String({ description: 'The code that the signature helps against.' }),
    typed_data: optional(typedData()),
    instead: optional(
      open({
        says: Type.String(),
        steps: Type.Array(
          open({
            tool: Type.String(),
            arguments: fields('What is known now.'),
            takes: optional(fields('Argument → the field of an earlier answer, as `step.field`.')),
          }),
        ),
      }),
    ),
    paybox: signingCall('The literal call that signs.'),
    ows: signingCall('The same by another signer.'),
    paybox_link: optional(
      open({
        reason: Type.Enum([...linkReasons], { description: 'What the linked signer has done with it so far.' }),
        request_id: optional(Type.String({ description: 'The request at the signer; a repeat asks the same one.' })),
        approval_url: optional(Type.String({ description: 'Where the owner approves.' })),
      }),
    ),
    besides,
    how_to_return: open({
      tool: Type.String({ description: 'The tool that takes the signature.' }),
      action: optional(Type.String({ description: 'The same over the agent-to-agent protocol.' })),
      parameter: Type.String({ description: 'The argument that takes it; never a header.' }),
      arguments: fields('The other arguments; with a signature that is there already, all of them.'),
      value: optional(value),
      signature_at: optional(signatureAt),
      encoding: optional(encoding),
    }),
  },
  'What a wallet has to sign before the call goes through.',
)
export type WalletAction = Readonly<Static<typeof walletAction>>
type Besides = NonNullable<WalletAction['besides']>
export type LinkReason = (typeof linkReasons)[number]

/** One document for one signature, and the argument that takes it. */
type Document = {
  readonly parameter: string
  readonly typedData: Static<ReturnType<typeof typedData>>
  readonly value: Fields
  readonly signatureAt: 'signature' | 'payload.signature'
  readonly encoding: 'object' | 'json_text' | 'text'
}
export type ToSign = Document & {
  readonly operation: OperationName
  /** Arguments that are part of what is signed; the call takes them beside its own. */
  readonly adds?: Fields
  /** What the same call takes and does not need (decision 0199). */
  readonly besides?: Document & { readonly says: string }
}

/** The call that lacked a signature: its arguments, the code it met, and the wallet that signs. */
export type LackingCall = { readonly given: Fields; readonly reason: string; readonly signer: string }

/** Sign it yourself: the document, the calls of two signers that do it, and the way back. */
export function signAction(asked: ToSign, call: LackingCall): WalletAction {
  const { typedData: document, value, signatureAt, encoding, besides } = asked
  return {
    kind: 'eip712',
    reason: call.reason,
    typed_data: document,
    paybox: {
      tool: 'paybox_request_wallet_sign',
      arguments: { intent: { op: 'typedData', typedData: document } },
      needs: { credentialId: `the wallet credential of ${call.signer}` },
    },
    ows: {
      tool: 'ows_sign_typed_data',
      arguments: { typed_data: JSON.stringify(document) },
      needs: { wallet: `name or id of the wallet of ${call.signer}` },
    },
    ...(besides === undefined ? {} : { besides: secondOf(besides) }),
    how_to_return: { ...wayBack(asked, { ...call.given, ...asked.adds }), value, signature_at: signatureAt, encoding },
  }
}

function secondOf({ says, typedData: document, parameter, ...way }: NonNullable<ToSign['besides']>): Besides {
  return {
    says,
    typed_data: document,
    parameter,
    value: way.value,
    signature_at: way.signatureAt,
    encoding: way.encoding,
  }
}

/** The linked signer has signed: the call as it is to be made. */
export function signedAction(asked: ToSign, call: LackingCall, signature: string): WalletAction {
  const given = { ...call.given, ...asked.adds, [asked.parameter]: signedValue(asked, signature) }
  return { kind: 'paybox_signed', reason: call.reason, how_to_return: wayBack(asked, given) }
}

/** The owner has not answered the linked signer yet, or its answer was lost. */
export function pendingAction(
  asked: ToSign,
  call: LackingCall,
  link: NonNullable<WalletAction['paybox_link']>,
): WalletAction {
  return { kind: 'paybox_pending', reason: call.reason, paybox_link: link, how_to_return: wayBack(asked, call.given) }
}

/** What the parameter takes, signed. */
function signedValue(
  { value, signatureAt, encoding }: Pick<Document, 'value' | 'signatureAt' | 'encoding'>,
  signature: string,
): unknown {
  if (encoding === 'text') return signature
  const signed =
    signatureAt === 'signature'
      ? { ...value, signature }
      : { ...value, payload: { ...(value['payload'] as Fields), signature } } // an envelope, by its place
  return encoding === 'json_text' ? JSON.stringify(signed) : signed
}

/**
 * The arguments of the call that a block asks for, with the signature in its place, and the second one where there is
 * one.
 * @throws when the block asks for none
 */
export function returnSignature(
  { how_to_return: back, besides }: WalletAction,
  signature: string,
  second?: string,
): Fields {
  const signed = { ...back.arguments, [back.parameter]: placed(back, signature) }
  if (second === undefined) return signed
  if (besides === undefined) throw new Error('the action asks for one signature')
  return { ...signed, [besides.parameter]: placed(besides, second) }
}

function placed(
  {
    value,
    signature_at: signatureAt,
    encoding,
  }: Pick<WalletAction['how_to_return'], 'value' | 'signature_at' | 'encoding'>,
  signature: string,
): unknown {
  if (value === undefined || signatureAt === undefined || encoding === undefined)
    throw new Error('the action asks for no signature')
  return signedValue({ value, signatureAt, encoding }, signature)
}

function wayBack({ operation, parameter }: ToSign, given: Fields): WalletAction['how_to_return'] {
  const action = actionOf(operation)
  return { tool: toolOf(operation), ...(action === undefined ? {} : { action }), parameter, arguments: { ...given } }
}

/** @throws where no tool offers it: a block names the tool that takes the signature */
function toolOf(operation: OperationName): ToolName {
  // The names of a record are its keys.
  const found = (Object.entries(tools) as [ToolName, Tool][]).find(([, tool]) => tool.operation === operation)?.[0]
  if (found === undefined) throw new Error(`no tool offers ${operation}`)
  return found
}

const actionOf = (operation: OperationName): string | undefined =>
  Object.entries(a2aActions).find(([, name]) => name === operation)?.[0]
