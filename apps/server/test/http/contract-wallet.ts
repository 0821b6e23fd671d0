import { randomBytes } from 'node:crypto'
import { mintTestUsd } from '@ergon/contracts'
import {
  bytesToHex,
  concatBytes,
  generatePrivateKey,
  hexToBytes,
  keccak256,
  privateKeySigner,
  type Address,
  type Hex,
  type Signer,
} from '@ergon/protocols'
import { serializeErc6492Signature } from 'viem/utils'
import { rpc } from '../adapters/rig.ts'
import { send } from '../dispatch/send.ts'
import { signed } from '../dispatch/tiny-service.ts'
import type { Party } from './live-market.ts'

/**
 * The code of a wallet that is a contract: `isValidSignature` recovers the owner from r, s and v in words of their own
 * (ERC-1271); every other call answers its own selector, as a receiver of tokens does (ERC-721).
 */
export function walletCode(owner: Address): Hex {
  const answer = '600035' + '60e01c' + '80' + '631626ba7e' + '14' + '601b' + '57' + '60e01b' + '600052' + '60206000f3'
  const words = '600435600052' + '60a435602052' + '606435604052' + '608435606052'
  const recovered = '6020608060806000' + '6001' + '5a' + 'fa' + '50' + '608051'
  return `0x${answer}5b50${words}${recovered}73${owner.slice(2)}14631626ba7e60e01b0260005260206000f3`
}

/** A signer whose signatures are those of a contract: 96 bytes, and no key recovers to its address. */
export function contractSigner(address: Address, owner: Signer): Signer {
  const wrapped = (signature: Hex): Hex => `0x${signature.slice(2, 130)}${signature.slice(130).padStart(64, '0')}`
  return {
    address,
    signMessage: async (message) => wrapped(await owner.signMessage(message)),
    signTypedData: async (document) => wrapped(await owner.signTypedData(document)),
  }
}

/** Where a contract wallet lives, and the service that it speaks to; `chainId` is what its keyids name. */
export type ContractPlace = { readonly url: string; readonly rpcUrl: string; readonly chainId?: number }

/**
 * A wallet that is a contract on the chain behind `rpcUrl`, with this many dollars, and speaks to the service at `url`.
 */
export async function contractParty(
  at: ContractPlace,
  dollars: bigint,
  address: Address = bytesToHex(randomBytes(20)),
): Promise<Party> {
  const chainId = at.chainId ?? 31_337
  const key = generatePrivateKey()
  const owner = privateKeySigner(key)
  await rpc(at.rpcUrl, 'anvil_setCode', [address, walletCode(owner.address)])
  if (dollars > 0n) await mintTestUsd(at.rpcUrl, address, dollars * 1_000_000n)
  const signer = contractSigner(address, owner)
  return {
    key,
    signer,
    wallet: address,
    chainId,
    async call(method, target, body, headers = {}) {
      const text = body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body)
      const all = await signed(method, target, text, {
        signer,
        chainId,
        headers,
        nonce: randomBytes(12).toString('hex'),
      })
      return send(at.url, method, target, all, text)
    },
  }
}

/** The contract that every development node has, which puts up what it is given (CREATE2). */
export const factory: Address = '0x4e59b44847b379578588920ca78fbf26c0b4956c'

/** A wallet of one owner without code yet, with this many dollars, and what it signs: in the wrapper of ERC-6492. */
export async function comingWallet(
  rpcUrl: string,
  dollars: bigint,
  change: { readonly signedBy?: Signer; readonly factory?: Address } = {},
): Promise<Pick<Party, 'wallet' | 'signer'> & { readonly call: Hex }> {
  const owner = privateKeySigner(generatePrivateKey())
  const code = walletCode(owner.address).slice(2)
  const initCode: Hex = `0x61${(code.length / 2).toString(16).padStart(4, '0')}80600c6000396000f3${code}`
  const salt = bytesToHex(randomBytes(32))
  const place = keccak256(
    concatBytes(Uint8Array.of(0xff), hexToBytes(factory), hexToBytes(salt), keccak256(hexToBytes(initCode))),
  )
  const address = bytesToHex(place.subarray(12))
  if (dollars > 0n) await mintTestUsd(rpcUrl, address, dollars * 1_000_000n)
  const inner = contractSigner(address, change.signedBy ?? owner)
  const call: Hex = `${salt}${initCode.slice(2)}`
  const wrapped = (signature: Hex): Hex =>
    serializeErc6492Signature({ address: change.factory ?? factory, data: call, signature })
  return {
    wallet: address,
    call,
    signer: {
      address,
      signMessage: async (message) => wrapped(await inner.signMessage(message)),
      signTypedData: async (document) => wrapped(await inner.signTypedData(document)),
    },
  }
}
