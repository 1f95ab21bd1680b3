/** Scripts of the suite whose results are not those of bash and GNU tools, with what is different. */

/** `refused`: it says so on stderr. `message`: the same in other words or with another exit code of an error. `different`: a result of its own. */
export type Difference = readonly [kind: "refused" | "message" | "different", why: string];

export const differences: Readonly<Record<string, Difference>> = {
  "set -u; echo $undefined; echo no": ["message", "an unset variable ends a script with 1, not 127"],
  'echo "${x:?}" 2> /dev/null; echo after': ["message", "a missing variable ends a script with 1, not 127"],
  "echo $((1 / 0)); echo $?": ["message", "a division by zero fails its command and does not end the script"],
  "select x in a b; do echo $x; break; done <<< 1": ["refused", "`select`"],
  "find d -type f -size -1k": ["refused", "`find -size -N` with units"],
  "find d -newer nofile; echo $?": ["message", "`find -newer` of a missing file ends with 2, not 1"],
  "find d -perm -u+r -type f | wc -l": ["refused", "symbolic modes of `find -perm`"],
  "find d -type l": ["refused", "`find -type l`"],
  "wc < fruit": ["different", "`wc < file` has columns as wide as for a pipe"],
  "file nofile > /dev/null; echo $?": ["message", "`file` of a missing path ends with 1, not 0"],
  "seq -f '%03g' 3": ["refused", "`seq -f`"],
  "cksum abc": ["refused", "`cksum`"],
  "expr hello : 'h\\(.*\\)o'": ["refused", "groups in patterns of `expr`"],
  "date -u -d '2024-01-31 + 1 day' +%F": ["refused", "relative dates of `date -d`"],
  "diff -y abc nums > /dev/null; echo $?": ["refused", "`diff -y`"],
  "factor 12": ["refused", "`factor`"],
  "shuf -n1 <<< only": ["refused", "`shuf`"],
  "numfmt --to=iec 2048": ["refused", "`numfmt`"],
  "hexdump -C abc": ["refused", "`hexdump`"],
  "xxd abc": ["refused", "`xxd`"],
  "sed -s -n 1p abc nums": ["refused", "`sed -s`"],
  "sed -z 's/\\n/;/g' abc": ["refused", "`sed -z`"],
  "sed -n '/\\(.\\)\\1/p' fruit": ["refused", "back-references in addresses of `sed`"],
  'awk \'BEGIN {FS = " "; RS = ""} {print NF}\' fruit': ["refused", "`RS` of `awk`"],
  "awk '{print | \"sort\"}' abc": ["refused", "pipes out of `awk`"],
  'awk \'BEGIN {print "a" < "b", 10 < 9, "10" < "9"}\'': [
    "different",
    "`awk` compares two string constants that look like numbers as numbers",
  ],
  "awk 'BEGIN{RS=\",\"} {print}' <<< a,b": ["refused", "`RS` of `awk`"],
  "cp -v abc zz": ["refused", "`cp -v`"],
  "touch -d 2020-01-01 t; date -u -r t +%F": ["refused", "`date -r`"],
  "install -m 755 abc ins; stat -c %a ins": ["refused", "`install`"],
  "dd if=abc of=out bs=1 count=2 2> /dev/null; wc -c out": ["refused", "`dd`"],
  "jq .a <<< '{bad'; echo $?": ["message", "a syntax error in JSON ends `jq` with 5, not 4"],
};
