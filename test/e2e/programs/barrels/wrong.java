// Never comes to an end.
class Loop {
    public static void main(String[] args) {
        while (true) Thread.yield();
    }
}
