/** What is changed in just-bash 3.4.2 as it is bundled: the seams that `src/shell/engine` hangs on. */

export interface Patch {
  /** A file of `dist/bundle`. */
  readonly file: string;
  /** Found exactly `times` times, or the build fails. */
  readonly find: string;
  readonly replace: string;
  readonly times?: number;
}

export const JUST_BASH_VERSION = "3.4.2";

const INDEX = "index.js";
const ECHO = "chunks/chunk-AGH5UJJI.js";
const PRINTF = "chunks/chunk-4AKAIZPW.js";
const ESCAPES = "chunks/chunk-6D3WD6YU.js";
const SED = "chunks/chunk-CFBEDNHJ.js";
const AWK = "chunks/chunk-3CBCABOZ.js";
const CHMOD = "chunks/chunk-7IFSXTCJ.js";
const TEE = "chunks/chunk-LSLPJOYM.js";

export const patches: readonly Patch[] = [
  // Output goes off when a pipeline has ended and nothing takes it.
  {
    file: INDEX,
    find: "let{internalPipeStatusOverride:w,...b}=i;return b}",
    replace: "let{internalPipeStatusOverride:w,...b}=i;return $hooks.emit(e,b,u)}",
  },
  {
    file: INDEX,
    find: "N=await n(y,s)}catch($)",
    replace: "N=await $hooks.captured(e,u&&!S,()=>n(y,s),t.commands[g+1])}catch($)",
  },
  {
    file: INDEX,
    find: "try{let l=await r(i);return await rn(e,l,t,",
    replace: "try{let l=await $hooks.redirected(e,t,()=>r(i));return await rn(e,l,t,",
  },
  {
    file: INDEX,
    find: "try{v=await this.runCommand(u,f,d,n,!1,!1,g,y)}",
    replace: "try{v=await $hooks.redirected(this.ctx,t.redirections,()=>this.runCommand(u,f,d,n,!1,!1,g,y))}",
  },
  {
    file: INDEX,
    find: "invokeTool:this.invokeToolFn},N=await new kr(k,m)",
    replace: "invokeTool:this.invokeToolFn,live:s===0?this.engine:void 0,engine:this.engine},N=await new kr(k,m)",
  },
  {
    file: INDEX,
    find: "jsBootstrapCode:t.jsBootstrapCode,invokeTool:t.invokeTool}}",
    replace: "jsBootstrapCode:t.jsBootstrapCode,invokeTool:t.invokeTool,live:t.live,engine:t.engine,captured:0}}",
  },
  // A pause now and then, so that timers run and a kill arrives.
  {
    file: INDEX,
    find: 'async executeStatement(t){if(this.assertDefenseContext("statement"),',
    replace:
      'async executeStatement(t){let $w=$hooks.tick(this.ctx);if($w)await $w;if(this.assertDefenseContext("statement"),',
  },
  // And inside of commands that go through many lines.
  {
    file: SED,
    find: "for(let R=0;R<m.length;R++){let g={...ae(",
    replace: "for(let R=0;R<m.length;R++){let $w=$hooks.line(n.signal);if($w)await $w;let g={...ae(",
  },
  {
    file: SED,
    find: "requireDefenseContext:e.requireDefenseContext})",
    replace: "requireDefenseContext:e.requireDefenseContext,signal:e.signal})",
    times: 3,
  },
  {
    file: AWK,
    find: "A.lineIndex++;let Q=A.lineIndex;",
    replace: "A.lineIndex++;let $w=$hooks.line(t.signal);if($w)await $w;let Q=A.lineIndex;",
  },
  // Traps.
  {
    file: INDEX,
    find: 'async executeScript(t){this.assertDefenseContext("execution");let n=0,r=new Vt(this.ctx.executionScope,"script");for(let s of t.statements)try{',
    replace:
      'async executeScript(t){return $hooks.script(this.ctx,()=>this.executeScriptBody(t))}async executeScriptBody(t){this.assertDefenseContext("execution");let n=0,r=new Vt(this.ctx.executionScope,"script");for(let s of t.statements)try{$hooks.flush(this.ctx,r);',
  },
  {
    file: INDEX,
    find: "l=>Om(e,t,l.stdin??n,r,s||l.stdin!==void 0)",
    replace: "l=>$hooks.script(e,()=>Om(e,t,l.stdin??n,r,s||l.stdin!==void 0))",
  },
  {
    file: INDEX,
    find: 'if(t==="wait")return ne;',
    replace: 'if(t==="wait")return ne;{let $b=$hooks.builtin(c,t,n);if($b)return $b}',
  },
  // Text and bytes that meet in one stream.
  {
    file: INDEX,
    find: 'case"live-stdout":l+=A;break;case"live-stderr":c+=A;break;',
    replace:
      'case"live-stdout":l+=!N&&d==="binary"?$hooks.toBytes(A):A;break;case"live-stderr":c+=N&&d==="binary"?$hooks.toText(A):A;break;',
  },
  { file: INDEX, find: 'let A=S+v;A!==""&&', replace: 'let A=S+(d==="binary"?$hooks.toBytes(v):v);A!==""&&' },
  // Faults of the interpreter that scripts meet.
  {
    file: INDEX,
    find: 'e.isWord()||e.error("Expected redirection target");',
    replace: 'e.isWord()||e.check(E.ASSIGNMENT_WORD)||e.error("Expected redirection target");',
  },
  { file: INDEX, find: "c=await St(e,l),u=await ie(e,l),f=", replace: "c=await St(e,l),u=await ie(e,l,!1),f=" },
  { file: INDEX, find: 'u=await ie(e,n.parameter)===""', replace: 'u=await ie(e,n.parameter,!1)===""' },
  { file: INDEX, find: "u=await ie(e,n.parameter),f=await St", replace: "u=await ie(e,n.parameter,!1),f=await St" },
  {
    file: INDEX,
    find: 'let i=await e.execFn(t.command,{signal:e.state.signal});i.stderr&&(e.state.expansionStderr=(e.state.expansionStderr||"")+i.stderr);let o=i.stdout.trim();',
    replace: "let o=(await ns(e,t.command)).trim();",
  },
  {
    file: INDEX,
    find: "let u=await se(this.ctx,t.name),f=[]",
    replace:
      'let $n=$hooks.splits(t.name)?(await gt(this.ctx,t.name)).values:void 0,u=$n?$n[0]??"":await se(this.ctx,t.name),f=[]',
  },
  {
    file: INDEX,
    find: 'f.push(P),d.push($)};if(ia(t.name,["local"',
    replace: 'f.push(P),d.push($)};if($n)for(let $a of $n.slice(1))p($a,!1);if(ia(t.name,["local"',
  },
  {
    file: INDEX,
    find: "let[f,...d]=n;return{...await u(f,d,[],s,!1,!1,-1,l),internalProducerOmitsShellPrefix:!0}",
    replace:
      "let[f,...d]=n,$r=await u(f,d,[],s,!1,!1,-1,l);c.leaving=!0;return{...$r,internalProducerOmitsShellPrefix:!0}",
  },
  // A loop that is left or goes on by `break` or `continue` has succeeded.
  ...(["l n r", "a r s", "h s i", "f s i"] as const).map((names): Patch => {
    const [caught, output, code] = names.split(" ");
    const find = `if(${output}.replace(${caught}.stdout,${caught}.stderr),${caught}.action==="break")break;`;
    const replace = `${output}.replace(${caught}.stdout,${caught}.stderr);if(${caught}.action==="break"||${caught}.action==="continue")${code}=0;if(${caught}.action==="break")break;`;
    return { file: INDEX, find, replace };
  }),
  {
    file: INDEX,
    find: "functions:new Map(this.state.functions),localScopes:[...this.state.localScopes],",
    replace:
      "exportedVars:new Set([...this.state.exportedVars,...Object.keys(u.env??{})]),functions:new Map(this.state.functions),localScopes:[...this.state.localScopes],",
  },
  // Tools that write, and call every failure a missing file.
  {
    file: CHMOD,
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is code
    find: "l+=`chmod: cannot access '${t}': No such file or directory\n`",
    replace:
      // biome-ignore lint/suspicious/noTemplateCurlyInString: it is code
      "l+=`chmod: ${/ENOENT/.test(h.message)?'cannot access':'changing permissions of'} '${t}': ${$hooks.reason(h)}\n`",
  },
  {
    file: TEE,
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is code
    find: "catch{s+=`tee: ${i}: No such file or directory\n`",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is code
    replace: "catch($e){s+=`tee: ${i}: ${$hooks.reason($e)}\n`",
  },
  {
    file: SED,
    find: 'await t("in-place output write",()=>e.fs.writeFile(f,v.output))}',
    replace:
      // biome-ignore lint/suspicious/noTemplateCurlyInString: it is code
      'try{await t("in-place output write",()=>e.fs.writeFile(f,v.output))}catch($e){if($e instanceof I)throw $e;return{stdout:"",stderr:`sed: couldn\'t open file ${l}: ${$hooks.reason($e)}\n`,exitCode:4}}}',
  },
  // Faults of sed and awk.
  {
    file: SED,
    find: 'function j(i,e,t){let n="",s=0;',
    replace: 'function j(i,e,t){return $hooks.substitution(i,e,t);let n="",s=0;',
  },
  {
    file: SED,
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is code
    find: "e.holdSpace?e.holdSpace+=`\n${e.patternSpace}`:e.holdSpace=e.patternSpace",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is code
    replace: "e.holdSpace+=`\n${e.patternSpace}`",
  },
  { file: SED, find: "r.nthOccurrence&&r.nthOccurrence>0&&!r.global", replace: "r.nthOccurrence&&r.nthOccurrence>0" },
  { file: SED, find: "if(m++,m===d){let b=", replace: "if(m++,r.global?m>=d:m===d){let b=" },
  {
    file: AWK,
    find: "e.length===0?0:Math.floor(F(await n.evalExpr(e[0])))",
    replace: "e.length===0?0:Math.trunc(F(await n.evalExpr(e[0])))",
  },
  {
    file: AWK,
    find: "return r.substr(Math.max(0,s),a)}",
    replace: "return r.substring(Math.max(0,s),Math.max(0,s+a))}",
  },
  {
    file: AWK,
    find: 'return e.arrays[r]?.[n]??""}function ye',
    replace: 'let $v=e.arrays[r]?.[n];if($v===void 0){ye(e,t,n,"");return""}return $v}function ye',
  },
  {
    file: AWK,
    find: "let g=p.toExponential(N);",
    replace: 'let g=p.toExponential(N).replace(/e([+-])(\\d)$/,"e$10$2");',
  },
  // Escapes that name bytes.
  {
    file: ECHO,
    find: "let l=parseInt(a,8)%256;s+=String.fromCharCode(l)",
    replace: "let l=parseInt(a,8)%256;s+=$hooks.byte(l)",
  },
  {
    file: ECHO,
    find: "let l=parseInt(a,16);s+=String.fromCharCode(l),e=t",
    replace: "let l=parseInt(a,16);s+=$hooks.byte(l),e=t",
  },
  {
    file: PRINTF,
    find: 'function X(e){let l="",n=0;',
    replace: 'function X(e){return $hooks.textOfBytes(e);let l="",n=0;',
  },
  {
    file: ESCAPES,
    find: "n+=String.fromCharCode(parseInt(l,8)),e=i",
    replace: "n+=$hooks.byte(parseInt(l,8)%256),e=i",
  },
  { file: ESCAPES, find: "for(let o of l)n+=String.fromCharCode(o)", replace: "n+=$hooks.textOfBytes(l)" },
  { file: INDEX, find: "a.length>0?(r+=bd(a),s=l)", replace: "a.length>0?(r+=$hooks.textOfBytes(a),s=l)" },
  {
    file: INDEX,
    find: "let c=parseInt(a,8);r+=String.fromCharCode(c),s=l",
    replace: "let c=parseInt(a,8)%256;r+=$hooks.byte(c),s=l",
  },
  {
    file: AWK,
    find: "a.length>0?r+=String.fromCharCode(parseInt(a,16))",
    replace: "a.length>0?r+=$hooks.byte(parseInt(a,16))",
  },
  { file: AWK, find: "r+=String.fromCharCode(parseInt(a,8))", replace: "r+=$hooks.byte(parseInt(a,8)%256)" },
];

/** Appended to a file. */
export const additions: Readonly<Record<string, string>> = {
  [INDEX]: "$hooks.setup({ExitError:G,parse:Ge});",
};

/** The chunk that tells text from bytes, which ours stands in for, and the names that it exports. */
export const BYTE_STRINGS = {
  file: "chunks/chunk-GN6CQ3J4.js",
  names: {
    a: "utf8ByteLength",
    b: "same",
    c: "same",
    d: "decodeBytesToUtf8",
    e: "encodeUtf8ToBytes",
    f: "EMPTY_BYTES",
    g: "readBytesFrom",
    h: "stdoutKind",
    i: "stdoutAsBytes",
    j: "decodedTextFromResult",
    k: "textOutput",
    l: "bytesOutput",
  },
} as const;

/** Commands that come in groups of their own, by the file of just-bash that has them. */
export const groups: Readonly<Record<string, string>> = {
  curl: "chunks/curl-DEHFBW27.js",
  "html-to-markdown": "chunks/html-to-markdown-GGVR4YGL.js",
  yq: "chunks/yq-MI27NZ2U.js",
  file: "chunks/file-VEGKTTSF.js",
  xan: "chunks/xan-HUOXKUQA.js",
  jq: "chunks/jq-X2P7Q64K.js",
};

/** Never loaded: native code, threads, and sockets of their own, which a Worker does not have. */
export const absent: readonly string[] = [
  "chunks/undici-PSPBDOYF.js",
  "chunks/sqlite3-UVVRYDAL.js",
  "chunks/flag-coverage-I6UJUKQ4.js",
  "chunks/python3-F5S5TYGS.js",
  "chunks/js-exec-XKF2B7C3.js",
];

/** What stands in for modules of Node that every isolate would load and hardly any run uses, by the file that imports them. */
export const builtins: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  // Files of the machine and its resolver of names: a Worker has neither.
  [INDEX]: {
    "node:fs": "export {};",
    "node:dns": "export const lookup = undefined;",
    "node:crypto": "export const randomBytes = (size) => process.getBuiltinModule('node:crypto').randomBytes(size);",
  },
  // What guards a machine's own globals, which is turned off here.
  "chunks/chunk-ZBUZKIPX.js": { "node:module": "export {};" },
};
