import { useState, type ReactNode } from 'react'
import { useMessages } from '../lib/i18n.tsx'
import { commonMessages } from '../messages/common-messages.ts'
import { Button } from './button.tsx'

/** A text to take along; what the button did is heard as well as seen. `label` names it for who does not see it. */
export function Copyable({ text, label }: { readonly text: string; readonly label: string }): ReactNode {
  const say = useMessages(commonMessages)
  const [copied, setCopied] = useState<string>()
  const copy = (): void => {
    // Where the browser forbids it, the text can still be selected.
    void navigator.clipboard.writeText(text).then(
      () => {
        setCopied(text)
      },
      () => {
        setCopied(undefined)
      },
    )
  }
  return (
    <div className="grid min-w-0 gap-2">
      <pre
        tabIndex={0}
        role="region"
        aria-label={label}
        className="max-h-96 overflow-auto rounded-lg border border-line bg-sunken p-3 font-mono text-sm"
      >
        {text}
      </pre>
      <div className="flex items-center gap-3">
        <Button onClick={copy}>
          {say('copy')}
          <span className="visually-hidden">{`: ${label}`}</span>
        </Button>
        <span role="status" className="text-sm text-good">
          {copied === text ? say('copied') : ''}
        </span>
      </div>
    </div>
  )
}
