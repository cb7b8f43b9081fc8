// How: embeds files of the host by the directive of C23, and asks first whether they are there.
// Expected: compile_error: there are no such files, or no such directive.
#if defined __has_embed
#if __has_embed("/proc/1/environ")
#embed "/proc/1/environ"
#endif
#endif
static const char secret[] = {
#embed "/etc/shadow"
};
int main(void) { return secret[0]; }
