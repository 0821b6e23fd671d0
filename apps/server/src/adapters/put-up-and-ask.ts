import { isValidSignatureCalldata, type Address, type Hex } from '@ergon/protocols'

/** A wallet without code yet, the call that would put it up, and what it is asked then. */
type ComingWallet = {
  readonly address: Address
  readonly factory: Address
  readonly call: Hex
  readonly digest: Hex
  readonly signature: Hex
}

/**
 * Code for a contract that is never created: it calls the factory, asks the wallet (ERC-1271), and answers one word, 1
 * where the wallet says yes. It is run by `eth_call`, so nothing stays of it (ERC-6492). What the factory answers, or
 * what it was asked, is never taken for the word of the wallet.
 */
export function putUpAndAsk({ address, factory, call, digest, signature }: ComingWallet): Hex {
  const question = isValidSignatureCalldata(digest, signature).slice(2)
  const [ofCall, ofQuestion] = [size(call.length / 2 - 1), size(question.length / 2)]
  const code = (own: number, yes: number): string =>
    [
      // Both calldata lie behind the code and come to memory from 0 on.
      size(call.length / 2 - 1 + question.length / 2) + size(own) + zero + '39',
      zero + zero + ofCall + zero + zero + push20(factory) + '5a' + 'f1' + '50',
      zero + zero + ofQuestion + ofCall + push20(address) + '5a' + 'fa',
      // At least a word came back from a call that went through.
      '3d' + '601f' + '10' + '16' + size(yes) + '57' + zero + zero + 'f3',
      '5b' +
        '6020' +
        zero +
        zero +
        '3e' +
        zero +
        '51' +
        '60e01c' +
        '631626ba7e' +
        '14' +
        zero +
        '52' +
        '6020' +
        zero +
        'f3',
    ].join('')
  const whole = code(0, 0)
  const length = whole.length / 2
  const yes = whole.lastIndexOf('5b60206000') / 2
  return `0x${code(length, yes)}${call.slice(2)}${question}`
}

const zero = '6000'
const size = (bytes: number): string => `62${bytes.toString(16).padStart(6, '0')}`
const push20 = (address: Address): string => `73${address.slice(2)}`
