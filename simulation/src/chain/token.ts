import {
  hexToBytes,
  keccak256,
  receiveWithAuthorizationDigest,
  recoverAddress,
  transferWithAuthorizationDigest,
  zeroAddress,
  type Address,
  type Hex,
  type TransferAuthorization,
} from '@ergon/protocols'
import { codeAt, deployment, tokenDomain } from './deployment.ts'
import { addressTopic, emit, require, Reverted, type Frame } from './frame.ts'
import { selectorOf, topicOf } from './names.ts'
import { argumentsOf, addressWord, uintWord, type Arguments } from './words.ts'

const transferTopic = topicOf('TestUSD', 'Transfer')
const mintTopic = topicOf('TestUSD', 'Mint')
const usedTopic = topicOf('TestUSD', 'AuthorizationUsed')
const canceledTopic = topicOf('TestUSD', 'AuthorizationCanceled')
const { token } = deployment
/** Half of the curve's order (EIP-2). */
const maxS = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n

export function balanceKey(account: string): string {
  return `balance:${account}`
}

export function usedKey(authorizer: string, nonce: string): string {
  return `used:${authorizer}:${nonce}`
}

export function balanceOf(frame: Frame, account: Address): bigint {
  return frame.state.get(balanceKey(account))
}

export function transfer(frame: Frame, from: Address, to: Address, value: bigint): void {
  require(from !== zeroAddress, 'ERC20: transfer from the zero address')
  require(to !== zeroAddress, 'ERC20: transfer to the zero address')
  const balance = balanceOf(frame, from)
  require(value <= balance, 'ERC20: transfer amount exceeds balance')
  frame.state.set(balanceKey(from), balance - value)
  frame.state.set(balanceKey(to), balanceOf(frame, to) + value)
  emit(frame, token, [transferTopic, addressTopic(from), addressTopic(to)], uintWord(value))
}

export function mint(frame: Frame, sender: Address, to: Address, amount: bigint): void {
  require(sender === deployment.owner, 'FiatToken: caller is not a minter')
  require(to !== zeroAddress, 'FiatToken: mint to the zero address')
  require(amount > 0n, 'FiatToken: mint amount not greater than 0')
  frame.state.set('supply', frame.state.get('supply') + amount)
  frame.state.set(balanceKey(to), balanceOf(frame, to) + amount)
  emit(frame, token, [mintTopic, addressTopic(sender), addressTopic(to)], uintWord(amount))
  emit(frame, token, [transferTopic, addressTopic(zeroAddress), addressTopic(to)], uintWord(amount))
}

/** The authorization that a payer signed for `sender`, the payee, alone. */
export function receiveWithAuthorization(
  frame: Frame,
  sender: Address,
  auth: TransferAuthorization,
  signature: string,
): void {
  require(auth.to === sender, 'FiatTokenV2: caller must be the payee')
  useAuthorization(frame, auth, signature, () => receiveWithAuthorizationDigest(tokenDomain, auth))
  transfer(frame, auth.from, auth.to, auth.value)
}

function transferWithAuthorization(frame: Frame, auth: TransferAuthorization, signature: string): void {
  useAuthorization(frame, auth, signature, () => transferWithAuthorizationDigest(tokenDomain, auth))
  transfer(frame, auth.from, auth.to, auth.value)
}

function useAuthorization(
  frame: Frame,
  auth: TransferAuthorization,
  signature: string,
  digest: () => Uint8Array,
): void {
  require(frame.time > auth.validAfter, 'FiatTokenV2: authorization is not yet valid')
  require(frame.time < auth.validBefore, 'FiatTokenV2: authorization is expired')
  requireUnused(frame, auth.from, auth.nonce)
  requireSigned(auth.from, digest(), signature)
  frame.state.set(usedKey(auth.from, auth.nonce), 1n)
  emit(frame, token, [usedTopic, addressTopic(auth.from), auth.nonce], '')
}

function requireUnused(frame: Frame, authorizer: Address, nonce: Hex): void {
  require(frame.state.get(usedKey(authorizer, nonce)) === 0n, 'FiatTokenV2: authorization is used or canceled')
}

/** No contract here answers for itself, so an account with code has never signed. */
function requireSigned(signer: Address, digest: Uint8Array, signature: string): void {
  require(!codeAt.has(signer), 'FiatTokenV2: invalid signature')
  require(signature.length === 130, 'ECRecover: invalid signature length')
  require(BigInt(`0x${signature.slice(64, 128)}`) <= maxS, "ECRecover: invalid signature 's' value")
  const v = signature.slice(128)
  require(v === '1b' || v === '1c', "ECRecover: invalid signature 'v' value")
  const recovered = recoverAddress(digest, hexToBytes(`0x${signature}`))
  require(recovered !== undefined, 'ECRecover: invalid signature')
  require(recovered === signer, 'FiatTokenV2: invalid signature')
}

const cancelTypehash = keccak256(new TextEncoder().encode('CancelAuthorization(address authorizer,bytes32 nonce)'))

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex')
}

let separator: string | undefined

/** The domain's separator, taken out of a digest's own parts: `keccak(typehash, name, version, chain, token)`. */
function domainSeparator(): string {
  separator ??= hex(
    keccak256(
      hexToBytes(
        `0x${[
          hex(
            keccak256(
              new TextEncoder().encode(
                'EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)',
              ),
            ),
          ),
          hex(keccak256(new TextEncoder().encode(tokenDomain.name))),
          hex(keccak256(new TextEncoder().encode(tokenDomain.version))),
          uintWord(tokenDomain.chainId),
          addressWord(tokenDomain.verifyingContract),
        ].join('')}`,
      ),
    ),
  )
  return separator
}

/** What an authorizer signs to withdraw an authorization (EIP-3009). */
export function cancelDigest(authorizer: Address, nonce: Hex): Uint8Array {
  const struct = hex(keccak256(hexToBytes(`0x${hex(cancelTypehash)}${addressWord(authorizer)}${nonce.slice(2)}`)))
  return keccak256(hexToBytes(`0x1901${domainSeparator()}${struct}`))
}

function cancelAuthorization(frame: Frame, authorizer: Address, nonce: Hex, signature: string): void {
  requireUnused(frame, authorizer, nonce)
  requireSigned(authorizer, cancelDigest(authorizer, nonce), signature)
  frame.state.set(usedKey(authorizer, nonce), 1n)
  emit(frame, token, [canceledTopic, addressTopic(authorizer), nonce], '')
}

type Method = (frame: Frame, sender: Address, args: Arguments) => string

const yes = uintWord(1)

/** The signature of the (v, r, s) overloads as 65 bytes. */
function packed(args: Arguments, at: number): string {
  return args.raw(at + 1) + args.raw(at + 2) + args.raw(at).slice(62)
}

function authorizationOf(args: Arguments): TransferAuthorization {
  return {
    from: args.address(0),
    to: args.address(1),
    value: args.uint(2),
    validAfter: args.uint(3),
    validBefore: args.uint(4),
    nonce: `0x${args.raw(5)}`,
  }
}

const sixWords = 'address,address,uint256,uint256,uint256,bytes32'
const methods: Readonly<Record<string, Method>> = {
  [selectorOf('TestUSD', 'balanceOf')]: (frame, _sender, args) => uintWord(balanceOf(frame, args.address(0))),
  [selectorOf('TestUSD', 'totalSupply')]: (frame) => uintWord(frame.state.get('supply')),
  [selectorOf('TestUSD', 'decimals')]: () => uintWord(6),
  [selectorOf('TestUSD', 'authorizationState')]: (frame, _sender, args) =>
    uintWord(frame.state.get(usedKey(args.address(0), `0x${args.raw(1)}`))),
  [selectorOf('TestUSD', 'mint')](frame, sender, args) {
    mint(frame, sender, args.address(0), args.uint(1))
    return yes
  },
  [selectorOf('TestUSD', 'transfer')](frame, sender, args) {
    transfer(frame, sender, args.address(0), args.uint(1))
    return yes
  },
  [selectorOf('TestUSD', `transferWithAuthorization(${sixWords},uint8,bytes32,bytes32)`)](frame, _sender, args) {
    transferWithAuthorization(frame, authorizationOf(args), packed(args, 6))
    return ''
  },
  [selectorOf('TestUSD', `transferWithAuthorization(${sixWords},bytes)`)](frame, _sender, args) {
    transferWithAuthorization(frame, authorizationOf(args), args.bytes(6))
    return ''
  },
  [selectorOf('TestUSD', `receiveWithAuthorization(${sixWords},uint8,bytes32,bytes32)`)](frame, sender, args) {
    receiveWithAuthorization(frame, sender, authorizationOf(args), packed(args, 6))
    return ''
  },
  [selectorOf('TestUSD', `receiveWithAuthorization(${sixWords},bytes)`)](frame, sender, args) {
    receiveWithAuthorization(frame, sender, authorizationOf(args), args.bytes(6))
    return ''
  },
  [selectorOf('TestUSD', 'cancelAuthorization(address,bytes32,uint8,bytes32,bytes32)')](frame, _sender, args) {
    cancelAuthorization(frame, args.address(0), `0x${args.raw(1)}`, packed(args, 2))
    return ''
  },
  [selectorOf('TestUSD', 'cancelAuthorization(address,bytes32,bytes)')](frame, _sender, args) {
    cancelAuthorization(frame, args.address(0), `0x${args.raw(1)}`, args.bytes(2))
    return ''
  },
}

/** The coin of the local chain (packages/contracts/sol/TestUSD.sol), as far as anybody here calls it. */
export function callToken(frame: Frame, sender: Address, data: Hex): string {
  const method = methods[data.slice(0, 10)]
  if (method === undefined) throw new Reverted('0x')
  return method(frame, sender, argumentsOf(data))
}
