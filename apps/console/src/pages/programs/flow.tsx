import type { ReactNode } from 'react'
import { UntrustedText } from '../../ui/untrusted-text.tsx'
import { ValueView } from '../../ui/value-view.tsx'

type FlowProps = {
  /** As they were proposed: of any shape, and by anyone. */
  readonly steps: unknown
  readonly effects: ReadonlyMap<string, string>
}

type Step = Readonly<Record<string, unknown>>

/** The steps of a program, one below the other; what is inside a step is drawn inside it. */
export function Flow({ steps, effects }: FlowProps): ReactNode {
  if (!Array.isArray(steps) || steps.length === 0) return <p className="quiet">No steps.</p>
  return (
    <ol className="flow">
      {(steps as readonly Step[]).map((step) => (
        <li key={String(step.id)}>
          <StepView step={step} effects={effects} />
        </li>
      ))}
    </ol>
  )
}

function StepView({
  step,
  effects,
}: {
  readonly step: Step
  readonly effects: FlowProps['effects']
}) {
  const { id, if: condition, tool, input, undo, ask, parallel, each, steps, choose } = step
  const branches = isRecord(parallel) ? Object.entries(parallel) : []
  const choices = Array.isArray(choose) ? (choose as readonly Step[]) : []
  return (
    <>
      <p>
        <strong>
          <UntrustedText>{String(id)}</UntrustedText>
        </strong>{' '}
        {tool === undefined ? null : <ToolTag tool={String(tool)} effects={effects} />}
        {ask === undefined ? null : <span className="tag">asks a person</span>}
        {branches.length === 0 ? null : <span className="tag">at the same time</span>}
        {each === undefined ? null : <span className="tag">for each</span>}
        {choices.length === 0 ? null : <span className="tag">one of these</span>}
      </p>
      {condition === undefined ? null : <ValueView value={{ 'only if': condition }} />}
      {input === undefined ? null : <ValueView value={input} />}
      {ask === undefined ? null : <ValueView value={ask} />}
      {each === undefined ? null : <ValueView value={{ of: each }} />}
      {undo === undefined ? null : <ValueView value={{ 'undone by': undo }} />}
      {steps === undefined ? null : <Flow steps={steps} effects={effects} />}
      {branches.map(([name, inner]) => (
        <div key={name}>
          <p>
            <UntrustedText>{name}</UntrustedText>
          </p>
          <Flow steps={inner} effects={effects} />
        </div>
      ))}
      {choices.map((choice, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: choices have no names, and never change
        <div key={index}>
          <ValueView value={choice.if === undefined ? 'otherwise' : { if: choice.if }} />
          <Flow steps={choice.steps} effects={effects} />
        </div>
      ))}
    </>
  )
}

type ToolTagProps = { readonly tool: string; readonly effects: FlowProps['effects'] }

function ToolTag({ tool, effects }: ToolTagProps): ReactNode {
  const effect = effects.get(tool)
  const isRead = effect === 'read'
  return (
    <>
      <UntrustedText>{tool}</UntrustedText>{' '}
      <span className={`tag ${isRead ? '' : 'warn'}`}>{isRead ? 'reads' : 'changes'}</span>
    </>
  )
}

function isRecord(value: unknown): value is Step {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
