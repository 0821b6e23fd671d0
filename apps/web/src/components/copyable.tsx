import type { ReactNode } from 'react'
import { useMessages } from '../lib/i18n.tsx'
import { commonMessages } from '../messages/common-messages.ts'
import { Button } from './button.tsx'
import { Icon } from './icon.tsx'
import { useCopy } from './use-copy.ts'

/** A text to take along, under its name; what the button did is heard as well as seen. */
export function Copyable({ text, label }: { readonly text: string; readonly label: string }): ReactNode {
  const say = useMessages(commonMessages)
  const { shown, done, copy } = useCopy<HTMLPreElement>(text)
  return (
    <div className="min-w-0 overflow-hidden rounded-control border border-line bg-sunken">
      <div className="flex items-center justify-between gap-3 border-b border-line pl-4">
        <span aria-hidden="true" className="min-w-0 truncate text-sm text-quiet">
          {label}
        </span>
        <span className="flex flex-none items-center gap-1">
          <span role="status" className="text-sm">
            {done === undefined ? '' : say(done)}
          </span>
          <Button kind="quiet" onClick={copy} className="min-h-11 px-4 text-sm">
            <Icon name={done === 'copied' ? 'check-bold' : 'copy-bold'} />
            {say('copy')}
            <span className="visually-hidden">{`: ${label}`}</span>
          </Button>
        </span>
      </div>
      <pre
        ref={shown}
        tabIndex={0}
        role="region"
        aria-label={label}
        className="max-h-96 overflow-auto p-4 font-mono text-sm -outline-offset-4"
      >
        {text}
      </pre>
    </div>
  )
}
