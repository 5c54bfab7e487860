import type { Policy } from '../../api/administration-queries.ts'

const KINDS: Readonly<Record<string, string>> = {
  confirm: 'a confirmation',
  consent: 'the consent of the person concerned',
  admin: 'the approval of an administrator',
}

/** A policy in sentences, one for each thing that it says. */
export function describePolicy(policy: Policy): readonly string[] {
  const { enabledTools, disabledTools = [], limits = [], approvals = [], timeouts = [] } = policy
  return [
    ...(enabledTools === undefined
      ? []
      : enabledTools.length === 0
        ? ['No tool is on.']
        : [`Only these tools are on: ${enabledTools.join(', ')}.`]),
    ...disabledTools.map((tools) => `${tools} is off.`),
    ...approvals.map(({ tools, kind }) => `${tools} needs ${KINDS[kind] ?? kind}.`),
    ...limits.map(
      ({ tools, calls, windowMs }) =>
        `${tools} may be called ${calls} times in ${windowMs / 1_000} seconds.`,
    ),
    ...timeouts.map(({ tools, maxMs }) => `${tools} may take ${maxMs} ms.`),
    ...(policy.separateApprover === true ? ['Callers may not approve their own calls.'] : []),
    ...(policy.trustedHosts ?? []).map((host) => `${host} may report its user's approval.`),
  ]
}
