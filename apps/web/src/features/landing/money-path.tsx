import type { ReactNode } from 'react'
import type { IconName } from '../../components/icon-names.ts'
import { Icon } from '../../components/icon.tsx'
import { useFormat } from '../../lib/format.ts'
import { useMessages } from '../../lib/i18n.tsx'
import { useSplit } from '../../lib/use-split.ts'
import { landingMessages } from './messages.ts'

/** A round example; what is made of it is what this service takes. */
const exampleUsd = 4.5

const steps = [
  ['coins', 'where1', 'step1', 'how1'],
  ['lock-key', 'where2', 'step2', 'how2'],
  ['camera', 'where3', 'step3', 'how3'],
  ['hand-coins', 'where4', 'step4', 'how4'],
] as const satisfies readonly (readonly [IconName, ...string[]])[]

/** Where the money is from the first click to the payment, with an example in numbers. */
export function MoneyPath(): ReactNode {
  const say = useMessages(landingMessages)
  const format = useFormat()
  const split = useSplit()?.(exampleUsd)
  const values = {
    bounty: format.usd(exampleUsd),
    payout: split === undefined ? '…' : format.usd(split.payoutUsd),
    fee: split === undefined ? '…' : format.usd(split.feeUsd),
  }
  return (
    <section className="night p-7 wide:p-14" aria-labelledby="money-path">
      <h2 id="money-path" className="text-[clamp(1.75rem,1.4rem+1.6vw,2.5rem)] leading-display">
        {say('pathTitle')}
      </h2>
      <p className="night-quiet pt-2 pb-8 text-sm">{say('example', values)}</p>
      <ol className="money-path">
        {steps.map(([icon, where, step, how]) => (
          <li key={step}>
            <span className="money-path-mark">
              <Icon name={icon} />
            </span>
            <div className="grid content-start gap-1">
              <p className="text-sm font-label text-on-night-brand">{say(where)}</p>
              <h3>{say(step)}</h3>
              <p className="night-quiet text-sm">{say(how, values)}</p>
            </div>
          </li>
        ))}
      </ol>
    </section>
  )
}
