import type { ReactNode } from 'react'
import { LinkButton } from '../../components/button.tsx'
import { Copyable } from '../../components/copyable.tsx'
import { IconDisc } from '../../components/icon-disc.tsx'
import type { IconName } from '../../components/icon-names.ts'
import { Card, Empty } from '../../components/surface.tsx'
import { Timeline } from '../../components/timeline.tsx'
import { useMessages } from '../../lib/i18n.tsx'
import { serviceAddress } from '../../lib/service-address.ts'
import { firstToolMessages } from './first-tool-messages.ts'
import { toolMessages } from './messages.ts'

/** Before the first tool: how one gets in, what it can be allowed, and what it never gets. */
export function FirstTool(): ReactNode {
  const say = useMessages(toolMessages)
  const tell = useMessages(firstToolMessages)
  return (
    <>
      <Empty title={say('none')} scene="code">
        <p className="max-w-prose text-quiet">{tell('help')}</p>
        <div className="w-full max-w-lg min-w-0">
          <Copyable text={`${serviceAddress()}/mcp/`} label={say('address')} />
        </div>
        <LinkButton to="/developers" hash="connect" kind="primary">
          {say('how')}
        </LinkButton>
      </Empty>
      <section aria-labelledby="tools-steps" className="grid gap-3">
        <h2 id="tools-steps">{tell('steps')}</h2>
        <Timeline
          steps={[
            { title: tell('step1'), detail: tell('step1How'), state: 'now' },
            { title: tell('step2'), detail: tell('step2How'), state: 'to-come' },
            { title: tell('step3'), detail: tell('step3How'), state: 'to-come' },
          ]}
        />
      </section>
      <MayDo />
    </>
  )
}

/** Where this service lets none in: the way that is open all the same. */
export function NoTools(): ReactNode {
  const say = useMessages(toolMessages)
  const tell = useMessages(firstToolMessages)
  return (
    <Empty title={say('off')} scene="code">
      <p className="max-w-prose text-quiet">{tell('offHelp')}</p>
      <LinkButton to="/developers" kind="primary">
        {tell('ownWallet')}
      </LinkButton>
    </Empty>
  )
}

const may = [
  ['look', 'magnifying-glass'],
  ['post', 'clipboard-text'],
  ['work', 'briefcase'],
  ['pay', 'hand-coins'],
  ['never', 'lock-key'],
] as const satisfies readonly (readonly [string, IconName])[]

function MayDo(): ReactNode {
  const tell = useMessages(firstToolMessages)
  return (
    <section aria-labelledby="tools-may" className="grid gap-3">
      <h2 id="tools-may">{tell('may')}</h2>
      <Card className="py-2">
        <ul className="rows grid">
          {may.map(([name, icon]) => (
            <li key={name} className="flex items-start gap-3.5">
              <IconDisc icon={icon} tone={name === 'never' ? 'warn' : 'brand'} />
              <div className="grid min-w-0 flex-1 gap-0.5">
                <span className="font-label">{tell(name)}</span>
                <span className="text-sm text-quiet">{tell(`${name}How`)}</span>
              </div>
            </li>
          ))}
        </ul>
      </Card>
    </section>
  )
}
