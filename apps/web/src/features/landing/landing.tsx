import type { ReactNode } from 'react'
import { LinkButton } from '../../components/button.tsx'
import type { IconName } from '../../components/icon-names.ts'
import { Icon } from '../../components/icon.tsx'
import { useFormat } from '../../lib/format.ts'
import { useMessages } from '../../lib/i18n.tsx'
import { useRead } from '../../lib/market.tsx'
import { useTitle } from '../../lib/use-title.ts'
import { landingMessages } from './messages.ts'
import { MoneyPath } from './money-path.tsx'
import { OpenNow } from './open-now.tsx'
import { Shot } from './shot.tsx'
import { WhoIsHere } from './who-is-here.tsx'

/** One screen that says what this is, for whom, and how the money is safe. Every figure is the service's own. */
export function Landing(): ReactNode {
  const say = useMessages(landingMessages)
  const open = useRead('tasks.available', { target_executor_type: 'human', limit: 3 })
  useTitle(say('title'))
  return (
    <div className="mx-auto grid w-full max-w-[76rem] gap-12 px-(--gutter) pb-14 wide:gap-16">
      <div className="grid items-center gap-8 pt-4 wide:grid-cols-[1.02fr_1fr] wide:gap-16 wide:pt-10">
        <Promise />
        <Shot tasks={open.data?.tasks} />
      </div>
      <Guarantees />
      <OpenNow answer={open.data} />
      <MoneyPath />
      <WhoIsHere />
    </div>
  )
}

function Promise(): ReactNode {
  const say = useMessages(landingMessages)
  const format = useFormat()
  const fees = useRead('payments.fees', {}, { staleTime: Infinity }).data
  const share = fees === undefined ? undefined : format.percent(1 - fees.fee_bps / 10_000)
  return (
    <div className="grid gap-6">
      <h1 tabIndex={-1} className="text-hero leading-[0.98] tracking-[-0.035em] outline-none">
        {(['verb1', 'verb2', 'verb3'] as const).map((verb) => (
          <span key={verb} className="block">
            {say(verb)}{' '}
          </span>
        ))}
      </h1>
      <p className="max-w-[34rem] text-lg text-quiet">
        {say('lead')} {share === undefined ? say('leadEnd') : say('leadShare', { share })}
      </p>
      <div className="flex flex-wrap gap-3">
        <LinkButton to="/find" kind="primary">
          {say('find')}
        </LinkButton>
        <LinkButton to="/publish">{say('post')}</LinkButton>
      </div>
      <p className="text-sm text-quiet">{say('free')}</p>
    </div>
  )
}

const guarantees = [
  ['aside', 'asideHow', 'lock-key'],
  ['conditions', 'conditionsHow', 'list-checks'],
  ['silence', 'silenceHow', 'clock'],
  ['arbiter', 'arbiterHow', 'scales'],
] as const satisfies readonly (readonly [string, string, IconName])[]

function Guarantees(): ReactNode {
  const say = useMessages(landingMessages)
  return (
    <section aria-labelledby="safe">
      <h2 id="safe" className="visually-hidden">
        {say('safe')}
      </h2>
      <ul className="grid gap-5 sm:grid-cols-2 wide:grid-cols-4 wide:gap-8">
        {guarantees.map(([name, how, icon]) => (
          <li key={name} className="flex items-start gap-3">
            <span className="disc">
              <Icon name={icon} />
            </span>
            <div className="grid gap-0.5">
              <h3>{say(name)}</h3>
              <p className="text-sm text-quiet">{say(how)}</p>
            </div>
          </li>
        ))}
      </ul>
    </section>
  )
}
