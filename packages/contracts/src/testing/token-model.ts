import { refuse, type Ground, type SignatureCheck, type SignedTransfer } from './chain-model.ts'

/** The test dollar as far as payments use it (EIP-20, EIP-3009), with the reasons that TestUSD.sol gives. */
export type TokenCall =
  | { readonly name: 'transfer'; readonly recipient: string; readonly value: bigint }
  | ({
      readonly name: 'transferWithAuthorization' | 'receiveWithAuthorization'
      readonly recipient: string
      readonly signature: string
    } & Omit<SignedTransfer, 'type' | 'to'>)
  | {
      readonly name: 'cancelAuthorization'
      readonly authorizer: string
      readonly nonce: string
      readonly signature: string
    }

const zeroAddress = `0x${'0'.repeat(40)}`

export function runToken(ground: Ground, sender: string, call: TokenCall, isSigned: SignatureCheck): void {
  switch (call.name) {
    case 'transfer':
      move(ground, sender, call.recipient, call.value)
      return
    case 'receiveWithAuthorization':
      receive(ground, sender, messageOf(call, 'receive'), call.signature, isSigned)
      return
    case 'transferWithAuthorization':
      spend(ground, messageOf(call, 'transfer'), call.signature, isSigned)
      move(ground, call.from, call.recipient, call.value)
      return
    case 'cancelAuthorization': {
      requireUnused(ground, call.authorizer, call.nonce)
      if (!isSigned({ type: 'cancel', from: call.authorizer, nonce: call.nonce }, call.signature))
        refuse('FiatTokenV2: invalid signature')
      ground.put('used', `${call.authorizer}:${call.nonce}`, true)
      ground.emit({
        contract: 'token',
        name: 'AuthorizationCanceled',
        args: { authorizer: call.authorizer, nonce: call.nonce },
      })
    }
  }
}

type WithAuthorization = Extract<TokenCall, { readonly validBefore: bigint }>

function messageOf(
  { from, recipient, value, validAfter, validBefore, nonce }: WithAuthorization,
  type: SignedTransfer['type'],
): SignedTransfer {
  return { type, from, to: recipient, value, validAfter, validBefore, nonce }
}

/** Only the payee may present it. */
export function receive(
  ground: Ground,
  sender: string,
  message: SignedTransfer,
  signature: string,
  isSigned: SignatureCheck,
): void {
  if (message.to !== sender) refuse('FiatTokenV2: caller must be the payee')
  spend(ground, message, signature, isSigned)
  move(ground, message.from, message.to, message.value)
}

function spend(ground: Ground, message: SignedTransfer, signature: string, isSigned: SignatureCheck): void {
  const now = BigInt(ground.now())
  if (now <= message.validAfter) refuse('FiatTokenV2: authorization is not yet valid')
  if (now >= message.validBefore) refuse('FiatTokenV2: authorization is expired')
  requireUnused(ground, message.from, message.nonce)
  if (!isSigned(message, signature)) refuse('FiatTokenV2: invalid signature')
  ground.put('used', `${message.from}:${message.nonce}`, true)
  ground.emit({
    contract: 'token',
    name: 'AuthorizationUsed',
    args: { authorizer: message.from, nonce: message.nonce },
  })
}

function requireUnused(ground: Ground, from: string, nonce: string): void {
  if (ground.get('used', `${from}:${nonce}`, false)) refuse('FiatTokenV2: authorization is used or canceled')
}

export function move(ground: Ground, from: string, to: string, value: bigint): void {
  if (to === zeroAddress) refuse('ERC20: transfer to the zero address')
  const balance = balanceOf(ground, from)
  if (value > balance) refuse('ERC20: transfer amount exceeds balance')
  ground.put('balance', from, balance - value)
  ground.put('balance', to, balanceOf(ground, to) + value)
  ground.emit({ contract: 'token', name: 'Transfer', args: { from, to, value } })
}

export function balanceOf(ground: Ground, account: string): bigint {
  return ground.get('balance', account, 0n)
}
