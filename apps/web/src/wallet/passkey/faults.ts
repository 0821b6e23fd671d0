import { readLanguage } from '../../lib/language.ts'
import { formatMessage, type MessageValues } from '../../lib/messages.ts'
import { faultTexts } from './fault-texts.ts'

export type FaultName = keyof typeof faultTexts.en

const declined = 4001
const unsupported = 4200
const failed = -32_603
const codes: Readonly<Partial<Record<FaultName, number>>> = {
  cancelled: declined,
  refused: declined,
  unreadable: unsupported,
  method: unsupported,
}

/** Why the wallet of this browser did not do it, in the words of the reader, with a way on. */
export class PasskeyFault extends Error {
  override readonly name = 'PasskeyFault'
  readonly fault: FaultName
  /** As EIP-1193 counts: 4001 is a no of the person. */
  readonly code: number

  constructor(fault: FaultName, values: MessageValues = {}, cause?: unknown) {
    const language = readLanguage()
    super(formatMessage(faultTexts[language][fault], language, values), { cause })
    this.fault = fault
    this.code = codes[fault] ?? failed
  }
}
