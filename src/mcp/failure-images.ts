// Which clients show their model a picture that comes with a failing call. Others drop it, or hand it over as base64 text that costs
// tens of thousands of tokens (Gemini CLI), so only those whose source shows that they pass it on are listed; each by the name that it
// gives in `initialize`. Everybody else gets the path and the resource of the picture.

const clients: readonly RegExp[] = [
  // VS Code: mcpLanguageModelToolContribution.ts adds every image of `content`, whatever `isError` says. Its editions differ in the name.
  /^Visual Studio Code( - Insiders| - Exploration)?$/,
  /^Code - OSS$/,
  // Codex: CallToolResult.as_function_call_output_payload converts the images of `content`, whatever `is_error` says, unless there is
  // structured content; an answer of ours with an image has none.
  /^codex-mcp-client$/,
]

export const showsFailureImages = (clientName: string | undefined): boolean =>
  clientName !== undefined && clients.some((client) => client.test(clientName))
