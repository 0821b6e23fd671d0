import type { ReactNode } from 'react'

/**
 * What was sent or came back, as it is: never anything but text, however it is written. `label` names it to who does
 * not see it.
 */
export function LiteralText({ text, label }: { readonly text: string; readonly label: string }): ReactNode {
  return (
    <pre
      tabIndex={0}
      role="region"
      aria-label={label}
      dir="ltr"
      className="max-h-72 overflow-auto rounded-lg border border-line bg-sunken p-3 font-mono text-sm break-all whitespace-pre-wrap"
    >
      {text}
    </pre>
  )
}
